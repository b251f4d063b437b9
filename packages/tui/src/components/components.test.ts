import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cursorMarker } from "../component.ts";
import { InputLine } from "./input-line.ts";
import { Loader } from "./loader.ts";
import { Pager } from "./pager.ts";
import { Text } from "./text.ts";

interface Keys {
  handleInput(input: { kind: "key"; id: string; text: string | undefined; isRelease: boolean }): boolean;
}

function press(component: Keys, ...keys: string[]): void {
  for (const id of keys)
    component.handleInput({ kind: "key", id, text: id.length === 1 ? id : undefined, isRelease: false });
}

describe("the pager", () => {
  const text = Array.from({ length: 100 }, (_, index) => `row ${index + 1}`).join("\n");
  const pagerOf = (rows: number) =>
    new Pager({ title: "A title", content: new Text(text), rows: () => rows });

  it("scrolls by rows and pages, and not past its ends", () => {
    const pager = pagerOf(12);
    pager.render(40);
    press(pager, "up", "down", "down");
    assert.equal(pager.render(40)[1], "row 3");
    press(pager, "pageDown", "end", "down");
    assert.equal(pager.render(40).at(-2), "row 100");
    press(pager, "home");
    assert.equal(pager.render(40)[1], "row 1");
    assert.equal(pager.render(40).length, 12);
  });

  it("finds rows, goes on to the next one around the end, and says where there is none", () => {
    const pager = pagerOf(12);
    pager.render(40);
    press(pager, "/", "9", "9", "enter");
    assert.ok(pager.render(40).includes("row 99"));
    press(pager, "/", "1", "0", "0", "enter", "n");
    assert.ok(pager.render(40).includes("row 100"));
    press(pager, "/", "q", "q", "enter");
    assert.match(pager.render(40).at(-1) ?? "", /Nothing found: qq/);
  });

  it("closes with q and Esc; Esc in a search only ends the search", () => {
    const pager = pagerOf(12);
    let closed = 0;
    pager.onClose = () => closed++;
    press(pager, "/", "q", "escape");
    assert.equal(closed, 0);
    press(pager, "q", "escape");
    assert.equal(closed, 2);
  });

  it("fits a screen of one row, and one without any content", () => {
    assert.deepEqual(pagerOf(1).render(1).length, 1);
    const empty = new Pager({ title: "", content: new Text(""), rows: () => 5 });
    press(empty, "end", "n", "/", "a", "enter");
    assert.equal(empty.render(20).length, 5);
  });
});

describe("a question with one line", () => {
  it("takes pasted lines as one, scrolls with the cursor and hides a secret", () => {
    const answers: string[] = [];
    const line = new InputLine({ question: "Name?", text: "a " });
    line.onSubmit = (text) => answers.push(text);
    line.isFocused = true;
    line.handleInput({ kind: "paste", text: "b\r\nc" });
    assert.deepEqual(line.render(20), ["Name?", `> a b c${cursorMarker}`]);
    assert.deepEqual(line.render(6), ["Name?", `> b c${cursorMarker}`]);
    press(line, "home");
    assert.deepEqual(line.render(6), ["Name?", `> ${cursorMarker}a b`]);
    press(line, "enter");
    assert.deepEqual(answers, ["a b c"]);
    const secret = new InputLine({ question: "", text: "sésame", isSecret: true });
    assert.deepEqual(secret.render(40), ["> ••••••"]);
  });
});

describe("a loader", () => {
  it("asks for a frame every 80 ms while it runs, and for none afterwards", (test) => {
    test.mock.timers.enable({ apis: ["setInterval"] });
    let asked = 0;
    const loader = new Loader({ requestRender: () => asked++, message: "Working …" });
    const [before] = loader.render(40);
    loader.start();
    test.mock.timers.tick(240);
    assert.equal(asked, 3);
    assert.notEqual(loader.render(40)[0], before);
    loader.stop();
    test.mock.timers.tick(800);
    assert.equal(asked, 3);
  });
});
