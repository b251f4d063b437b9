import assert from "node:assert/strict";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { noChromium } from "@stet/testkit/browser";
import { openRenamed, renaming } from "@stet/testkit/renamed-fixture";

test("what is done to a conversation in one window is seen in the others without a reload", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openRenamed(t);
  const { page, served } = fixture;
  const other = await fixture.newWindow();
  const title = (name: string) =>
    other.getByRole("complementary", { name: "Agent" }).getByRole("heading", { name });
  await title(renaming).waitFor();
  await other.getByRole("button", { name: "Show the conversation as a tree" }).click();
  const tree = other.getByRole("tree", { name: "The conversation as a tree" });
  // What was said, and the turn that was made of it.
  await tree.getByText(renaming).first().waitFor();

  const listed = await served.client.call("listSessions", { query: {} });
  assert.ok(!isFault(listed));
  const params = { session_id: listed.sessions[0]?.session_id ?? "" };
  await served.client.call("renameSession", { params, body: { title: "The new name" } });
  await title("The new name").waitFor();

  const told = await served.client.call("sessionTree", { params, query: {} });
  assert.ok(!isFault(told));
  const entry_id = told.nodes[0]?.entry_id ?? "";
  await served.client.call("labelEntry", { params, body: { entry_id, label: "the beginning" } });
  await tree.getByText("the beginning").waitFor();

  const row = { id: "r1", kind: "file" as const, file_path: "notes/people.md" };
  await served.client.call("setContextRows", { params, body: { context_rows: [row] } });
  await other.getByRole("region", { name: "Context for the agent" }).getByText("notes/people.md").waitFor();

  // In the first window, too, which did none of it.
  await page.getByRole("region", { name: "Context for the agent" }).getByText("notes/people.md").waitFor();
  await served.client.call("branchSession", { params, body: { entry_id } });
  await other.getByRole("log").getByText(renaming).waitFor({ state: "detached" });
  assert.deepEqual(fixture.complaints, []);
});
