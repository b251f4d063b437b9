// Which addresses of the internet protocol are out in the world, and which lead to this machine, its network, or nowhere.
//
// Everything is refused that is not plainly public: a page that someone else wrote must not make a reader ask the machines
// behind the firewall. An IPv6 address that carries an IPv4 one is judged by that.

import { BlockList, isIP } from "node:net";

const notPublic = new BlockList();

for (const [network, prefix] of [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carriers' own
  ["127.0.0.0", 8],
  ["169.254.0.0", 16], // link-local, and where clouds tell machines their secrets
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16],
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
] as const) {
  notPublic.addSubnet(network, prefix, "ipv4");
}

/** All that is given out as public is in here; the exceptions follow. */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");

for (const [network, prefix] of [
  ["2001::", 23], // protocol assignments, Teredo among them
  ["2001:db8::", 32], // documentation
  ["3fff::", 20], // documentation
] as const) {
  notPublic.addSubnet(network, prefix, "ipv6");
}

export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, "");
  const kind = isIP(plain);
  if (kind === 4) return !notPublic.check(plain, "ipv4");
  if (kind !== 6) return false;
  const groups = groupsOf(plain);
  const carried = carriedIpv4(groups);
  if (carried !== undefined) return !notPublic.check(carried, "ipv4");
  return global6.check(plain, "ipv6") && !notPublic.check(plain, "ipv6");
}

/** The IPv4 address in ::ffff:a.b.c.d, ::a.b.c.d, 64:ff9b::a.b.c.d and 2002:aabb:ccdd::. */
function carriedIpv4(groups: readonly number[]): string | undefined {
  const [first = 0, second = 0, third = 0] = groups;
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  if (first === 0x2002) return dotted(second, third);
  const isMapped = isZero(0, 5) && (groups[5] === 0xffff || groups[5] === 0);
  const isTranslated =
    (first === 0x64 && second === 0xff9b && isZero(2, 6)) || (isZero(0, 4) && groups[4] === 0xffff);
  return isMapped || isTranslated ? dotted(groups[6] ?? 0, groups[7] ?? 0) : undefined;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const hexadecimal = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = "", tail] = hexadecimal.split("::");
  const parse = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const start = parse(head);
  const end = tail === undefined ? [] : parse(tail);
  return [...start, ...Array.from({ length: 8 - start.length - end.length }, () => 0), ...end];
}
