// What bytes that are not UTF-8 text seem to be, as the end of the sentence "it seems to be …".

const magics: readonly (readonly [bytes: string, kind: string])[] = [
  ["25504446", "a PDF document"],
  ["504b0304", "a ZIP archive, or a document made of one"],
  ["1f8b", "gzip data"],
  ["425a68", "bzip2 data"],
  ["fd377a585a00", "xz data"],
  ["28b52ffd", "Zstandard data"],
  ["377abcaf271c", "a 7-Zip archive"],
  ["53514c69746520666f726d6174203300", "an SQLite database"],
  ["7f454c46", "a program or library (ELF)"],
  ["4d5a", "a Windows program"],
  ["cafebabe", "Java bytecode or a macOS program"],
  ["cffaedfe", "a macOS program"],
  ["0061736d", "WebAssembly"],
  ["89504e470d0a1a0a", "a PNG image"],
  ["ffd8ff", "a JPEG image"],
  ["47494638", "a GIF image"],
  ["424d", "a BMP image"],
  ["4f676753", "Ogg audio or video"],
  ["494433", "MP3 audio"],
  ["fffe", "UTF-16 text"],
  ["feff", "UTF-16 text"],
  ["d0cf11e0a1b11ae1", "an old Office document"],
];

export function seemsToBe(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  const known = magics.find(([magic]) => start.startsWith(magic));
  if (known !== undefined) return known[1];
  const sample = bytes.subarray(0, 4096);
  if (looksLikeUtf16(sample)) return "UTF-16 text without a byte order mark";
  if (sample.includes(0)) return "binary data";
  // Control characters other than tab, line ends, form feed and escape do not occur in text of any encoding.
  const controls = sample.filter((byte) => byte < 32 && ![9, 10, 12, 13, 27].includes(byte)).length;
  return controls > sample.length / 50 ? "binary data" : "text in another encoding, such as Latin-1";
}

/** Every other byte is zero where most characters are Latin letters. */
function looksLikeUtf16(sample: Uint8Array): boolean {
  if (sample.length < 8) return false;
  let even = 0;
  let odd = 0;
  for (const [index, byte] of sample.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const most = sample.length / 2;
  return (odd > most * 0.7 && even < most * 0.1) || (even > most * 0.7 && odd < most * 0.1);
}
