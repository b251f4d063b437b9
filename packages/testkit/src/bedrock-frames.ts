// Amazon's event stream, as Bedrock answers `POST /model/NAME/converse-stream`:
//
//   frame  =  length u32 · length of headers u32 · CRC-32 of those u32 · headers · payload · CRC-32 of all before u32
//   header =  length of name u8 · name · 7 (a string) · length of value u16 · value

import { crc32 } from "node:zlib";

export function bedrockFrame(eventType: string, payload: object): Buffer {
  return frame({ ":message-type": "event", ":event-type": eventType }, payload);
}

export function bedrockException(exceptionType: string, message: string): Buffer {
  return frame({ ":message-type": "exception", ":exception-type": exceptionType }, { message });
}

function frame(named: Readonly<Record<string, string>>, payload: object): Buffer {
  const headers = Buffer.concat(
    Object.entries({ ...named, ":content-type": "application/json" }).map(([name, value]) => {
      const length = Buffer.alloc(3);
      length.writeUInt8(7, 0);
      length.writeUInt16BE(Buffer.byteLength(value), 1);
      return Buffer.concat([
        Buffer.from([Buffer.byteLength(name)]),
        Buffer.from(name),
        length,
        Buffer.from(value),
      ]);
    }),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const whole = Buffer.concat([prelude, headers, body]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(whole), 0);
  return Buffer.concat([whole, sum]);
}
