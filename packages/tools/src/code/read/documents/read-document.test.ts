import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { zipSync } from "fflate";
import { read } from "../read.ts";

const text = (content: string) => Buffer.from(content);

/** A PDF made by hand: pages of one line each. */
function pdf(pages: readonly string[], trailer = ""): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((line, index) => {
      const stream = `BT /F1 12 Tf 72 700 Td (${line}) Tj 0 -20 Td (second line) Tj ET`;
      const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`;
      return [page, `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`];
    }),
  ];
  let body = "%PDF-1.4\n";
  const places: number[] = [];
  for (const [index, object] of objects.entries()) {
    places.push(body.length);
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(`${body}xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`, "latin1");
}

const types = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`;
const relationship = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

function relations(list: readonly [id: string, type: string, target: string][]): Buffer {
  const items = list.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${relationship}/${type}" Target="${target}"/>`,
  );
  return text(
    `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join("")}</Relationships>`,
  );
}

function docx(body: string, more: Record<string, Uint8Array> = {}): Uint8Array {
  const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  return zipSync({
    "[Content_Types].xml": text(types),
    "_rels/.rels": relations([["r1", "officeDocument", "word/document.xml"]]),
    "word/document.xml": text(
      `<?xml version="1.0"?>${body.startsWith("<!DOCTYPE") ? body : `<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`}`,
    ),
    ...more,
  });
}

const paragraph = (content: string, style = "") =>
  `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${content}</w:t></w:r></w:p>`;

function xlsx(rows: string): Uint8Array {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const sheet = (content: string) =>
    text(`<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${content}</sheetData></worksheet>`);
  return zipSync({
    "[Content_Types].xml": text(types),
    "_rels/.rels": relations([["r1", "officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": text(
      `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${relationship}"><sheets><sheet name="Ducks" sheetId="1" r:id="rId1"/><sheet name="Empty" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    ),
    "xl/_rels/workbook.xml.rels": relations([
      ["rId1", "worksheet", "worksheets/sheet1.xml"],
      ["rId2", "worksheet", "worksheets/sheet2.xml"],
      ["rId3", "sharedStrings", "sharedStrings.xml"],
      ["rId4", "styles", "styles.xml"],
    ]),
    "xl/sharedStrings.xml": text(
      `<?xml version="1.0"?><sst xmlns="${main}" count="2" uniqueCount="2"><si><t>kind</t></si><si><t>a|b &amp; c</t></si></sst>`,
    ),
    "xl/styles.xml": text(
      `<?xml version="1.0"?><styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ),
    "xl/worksheets/sheet1.xml": sheet(rows),
    "xl/worksheets/sheet2.xml": sheet(""),
  });
}

function pptx(): Uint8Array {
  const spaces = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${relationship}"`;
  const lines = (...content: string[]) =>
    content.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join("");
  const shape = (type: string, ...content: string[]) =>
    `<p:sp><p:nvSpPr><p:nvPr>${type === "" ? "" : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${lines(...content)}</p:txBody></p:sp>`;
  const slide = (content: string) =>
    text(`<?xml version="1.0"?><p:sld ${spaces}><p:cSld><p:spTree>${content}</p:spTree></p:cSld></p:sld>`);
  const cell = (content: string) => `<a:tc><a:txBody>${lines(content)}</a:txBody></a:tc>`;
  return zipSync({
    "[Content_Types].xml": text(types),
    "ppt/presentation.xml": text(
      `<?xml version="1.0"?><p:presentation ${spaces}><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/></p:sldIdLst></p:presentation>`,
    ),
    "ppt/_rels/presentation.xml.rels": relations([
      ["rId1", "slide", "slides/slide1.xml"],
      ["rId2", "slide", "slides/slide2.xml"],
    ]),
    "ppt/slides/slide1.xml": slide(
      `${shape("title", "The End")}<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>${cell("a")}${cell("b")}</a:tr><a:tr>${cell("1")}${cell("2")}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>${shape("sldNum", "2")}`,
    ),
    "ppt/slides/slide2.xml": slide(
      `${shape("ctrTitle", "Welcome &amp; hello")}${shape("", "first point", "second point")}`,
    ),
    "ppt/slides/_rels/slide2.xml.rels": relations([["rId1", "notesSlide", "../notesSlides/notesSlide1.xml"]]),
    "ppt/notesSlides/notesSlide1.xml": text(
      `<?xml version="1.0"?><p:notes ${spaces}><p:cSld><p:spTree>${shape("body", "say it slowly")}${shape("sldNum", "1")}</p:spTree></p:cSld></p:notes>`,
    ),
  });
}

function epub(chapters: Readonly<Record<string, string>>, spine: readonly string[]): Uint8Array {
  const items = Object.keys(chapters).map(
    (name) => `<item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const order = spine.map((name) => `<itemref idref="${name}"/>`);
  const parts = Object.entries(chapters).map(([name, body]) => [
    `OEBPS/${name}.xhtml`,
    text(
      `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`,
    ),
  ]);
  return zipSync({
    mimetype: text("application/epub+zip"),
    "META-INF/container.xml": text(
      `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    ),
    "OEBPS/book.opf": text(
      `<?xml version="1.0"?><package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Ducks &amp; Drakes</dc:title></metadata><manifest>${items.join("")}</manifest><spine>${order.join("")}</spine></package>`,
    ),
    ...Object.fromEntries(parts),
  });
}

async function readAll(t: TestContext, files: Readonly<Record<string, string | Uint8Array>>) {
  const fixture = await openCodeFixture(t, [read], { files });
  return { ...fixture, get: async (path: string) => fixture.call("read", { path }) };
}

test("a PDF is told page by page", async (t) => {
  const { get, place } = await readAll(t, { "a.pdf": pdf(["Hello World", "Page two"]) });
  const { text: shown } = await get("a.pdf");
  assert.match(shown, /## Page 1\n\d+\|\n\d+\|Hello World\n\d+\|second line\n\d+\|\n\d+\|## Page 2/);
  assert.match((await get("a.pdf:7:raw")).text, /Page two/);
  assert.match((await get(place.path("a.pdf"))).text, /Hello World/);
});

test("a PDF that is encrypted, damaged or none is a notice that says why", async (t) => {
  const key = "<".concat("ab".repeat(32), ">");
  const locked = pdf(
    ["secret"],
    `/ID [<01><01>] /Encrypt << /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >>`,
  );
  const { get } = await readAll(t, {
    "locked.pdf": locked,
    "cut.pdf": pdf(["x"]).subarray(0, 60),
    "text.pdf": "just words",
    "zip.pdf": zipSync({ a: text("x") }),
    "empty.pdf": "",
  });
  assert.equal(
    (await get("locked.pdf")).text,
    "[Cannot read .pdf file: it is encrypted and needs a password]",
  );
  assert.match((await get("cut.pdf")).text, /^\[Cannot read \.pdf file: /);
  assert.equal((await get("text.pdf")).text, "[Cannot read .pdf file: it is not a PDF]");
  assert.match((await get("zip.pdf")).text, /^\[Cannot read \.pdf file: it is a ZIP file\]/);
  assert.match((await get("empty.pdf")).text, /^\[Cannot read \.pdf file/);
});

test("a Word document is told as Markdown", async (t) => {
  const table = `<w:tbl><w:tr><w:tc>${paragraph("kind")}</w:tc><w:tc>${paragraph("size")}</w:tc></w:tr><w:tr><w:tc>${paragraph("teal")}</w:tc><w:tc>${paragraph("small")}</w:tc></w:tr></w:tbl>`;
  const bold =
    '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r><w:r><w:t xml:space="preserve"> &amp; plain</w:t></w:r></w:p>';
  const styles = text(
    `<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style></w:styles>`,
  );
  const more = {
    "word/styles.xml": styles,
    "word/_rels/document.xml.rels": relations([["s1", "styles", "styles.xml"]]),
  };
  const { get } = await readAll(t, {
    "a.docx": docx(
      `${paragraph("A Book", "Title")}${paragraph("On Ducks", "Heading1")}${bold}${table}`,
      more,
    ),
  });
  const { text: shown } = await get("a.docx:raw");
  assert.match(shown, /^# A Book\n\n# On Ducks\n/);
  assert.match(shown, /\*\*bold\*\* & plain/);
  assert.match(shown, /\| teal \| small \|/);
  assert.match((await get("a.docx:5-5")).text, /5\|\*\*bold/);
});

test("notes of a Word document keep their numbers, and an empty one says so", async (t) => {
  const note = `<w:p><w:r><w:t>Ouch</w:t></w:r><w:r><w:footnoteReference w:id="1"/></w:r></w:p>`;
  const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  const more = {
    "word/footnotes.xml": text(
      `<?xml version="1.0"?><w:footnotes xmlns:w="${word}"><w:footnote w:id="1">${paragraph("It hurt.")}</w:footnote></w:footnotes>`,
    ),
    "word/_rels/document.xml.rels": relations([["f1", "footnotes", "footnotes.xml"]]),
  };
  const { get } = await readAll(t, { "a.docx": docx(note, more), "empty.docx": docx("") });
  const { text: shown } = await get("a.docx:raw");
  assert.match(shown, /^Ouch.*1/);
  assert.match(shown, /It hurt\./);
  assert.doesNotMatch(shown, /footnote/);
  assert.equal((await get("empty.docx:raw")).text.trim(), "(no text)");
});

test("a workbook is told as tables, with dates and the values of formulas", async (t) => {
  const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>when</t></is></c><c r="C1" t="inlineStr"><is><t>sum</t></is></c></row>
    <row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>45292</v></c><c r="C2"><f>1+2</f><v>3</v></c></row>`;
  const { get } = await readAll(t, { "a.xlsx": xlsx(rows) });
  const { text: shown } = await get("a.xlsx:raw");
  assert.match(
    shown,
    /## Ducks\n\n\| kind \| when \| sum \|\n\| --- \| --- \| --- \|\n\| a\\\|b & c \| 2024-01-01 \| 3 \|/,
  );
  assert.match(shown, /## Empty\n\n\(empty\)/);
});

test("slides are told in the order in which they are shown, with their notes", async (t) => {
  const { get } = await readAll(t, { "a.pptx": pptx() });
  const { text: shown } = await get("a.pptx:raw");
  assert.match(
    shown,
    /^## Slide 1: Welcome & hello\n\nfirst point\nsecond point\n\nNotes: say it slowly\n\n## Slide 2: The End\n\n\| a \| b \|\n\| --- \| --- \|\n\| 1 \| 2 \|\n?$/,
  );
});

test("a book is told in the order of its spine", async (t) => {
  const chapters = {
    one: "<h1>One</h1><p>first<img src='x.png'/></p>",
    two: "<h1>Two</h1><p>second <a href='one.xhtml'>back</a></p>",
  };
  const { get } = await readAll(t, { "a.epub": epub(chapters, ["two", "one", "gone"]) });
  const { text: shown } = await get("a.epub:raw");
  assert.match(shown, /^# Ducks & Drakes\n\n---\n\n# Two\n\nsecond back\n\n---\n\n# One\n\nfirst\n?$/);
});

test("documents that are something else, damaged, protected or older say so", async (t) => {
  const good = docx(paragraph("x"));
  const { get } = await readAll(t, {
    "a.docx": "words",
    "cut.docx": good.subarray(0, 200),
    "zip.docx": zipSync({ "a.txt": text("x") }),
    "none.docx": zipSync({ "[Content_Types].xml": text(types) }),
    "locked.xlsx": Buffer.from("d0cf11e0a1b11ae1".padEnd(2048, "0"), "hex"),
    "none.pptx": zipSync({ "[Content_Types].xml": text(types) }),
    "a.epub": zipSync({ mimetype: text("application/epub+zip") }),
    "locked.epub": zipSync({
      "META-INF/container.xml": text("<container/>"),
      "META-INF/encryption.xml": text('<e><CipherReference URI="OEBPS/one.xhtml"/></e>'),
    }),
    "a.rtf": "words",
    "old.doc": Buffer.from("d0cf11e0a1b11ae1", "hex"),
    "old.xls": "x",
    "old.ppt": "x",
  });
  for (const [path, reason] of [
    ["a.docx", /no ZIP directory/],
    ["cut.docx", /no ZIP directory/],
    ["zip.docx", /not an office document/],
    ["none.docx", /no text part/],
    ["locked.xlsx", /encrypted with a password/],
    ["none.pptx", /no presentation/],
    ["a.epub", /not a book/],
    ["locked.epub", /text is encrypted/],
    ["a.rtf", /does not begin like an RTF file/],
  ] as const) {
    const answer = await get(path);
    assert.equal(answer.error, undefined, path);
    assert.match(answer.text, /^\[Cannot read \.\w+ file: /, path);
    assert.match(answer.text, reason, path);
  }
  for (const [path, newer] of [
    ["old.doc", /\.docx/],
    ["old.xls", /\.xlsx/],
    ["old.ppt", /\.pptx/],
  ] as const) {
    const answer = await get(path);
    assert.equal(answer.error, "not_readable", path);
    assert.match(answer.text, newer);
  }
  assert.equal((await get("missing.pdf")).error, "file_not_found");
});

test("documents that were made to eat memory are refused", async (t) => {
  const laughs = `<!DOCTYPE d [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]><d>&c;</d>`;
  const { get } = await readAll(t, {
    "laughs.docx": docx(laughs),
    "wide.docx": docx(laughs.split("").join("\0")),
    "bomb.docx": docx(" ".repeat(40 * 1024 * 1024)),
    "laughs.epub": zipSync({ "META-INF/container.xml": text(laughs) }),
  });
  assert.match((await get("laughs.docx")).text, /declares entities/);
  assert.match((await get("wide.docx")).text, /declares entities/);
  assert.match((await get("bomb.docx")).text, /made to fill a disk|more than/);
  assert.match((await get("laughs.epub")).text, /declares entities/);
});

test("a document is converted once while it stays the same, and again when it changes", async (t) => {
  const { get, place } = await readAll(t, { "a.rtf": "{\\rtf1 first}" });
  const started = performance.now();
  assert.match((await get("a.rtf")).text, /first/);
  const between = performance.now();
  assert.match((await get("a.rtf:1-1")).text, /first/);
  assert.ok(performance.now() - between < (between - started) / 2, "it was converted once more");
  writeFileSync(place.path("a.rtf"), "{\\rtf1 second}");
  assert.match((await get("a.rtf")).text, /second/);
});

test("a conversion that the person stops ends at once", async (t) => {
  const { call } = await readAll(t, { "a.pdf": pdf(["x"]) });
  const answer = await call("read", { path: "a.pdf" }, AbortSignal.timeout(20));
  assert.equal(answer.error, "aborted");
});
