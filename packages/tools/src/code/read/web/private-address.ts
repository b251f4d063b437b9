// Which addresses of the internet protocol are out in the world, and which lead to this machine, its network, or nowhere.
//
// Everything is refused that is not plainly public: a page that someone else wrote must not make a reader ask the machines
// behind the firewall. An IPv6 address that carries an IPv4 one is judged by that.

import { BlockList, isIP } from "node:net";

const notPublic = new BlockList();
/** An IPv4 address behind one of these is meant by the IPv6 address; in 2002::/16 it stands in front. */
const carriers = ["::", "::ffff:", "::ffff:0:", "64:ff9b::"];

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
  for (const carrier of carriers) notPublic.addSubnet(`${carrier}${network}`, 96 + prefix, "ipv6");
  const [a = 0, b = 0, c = 0, d = 0] = network.split(".").map(Number);
  const carried = [(a << 8) | b, (c << 8) | d].map((group) => group.toString(16)).join(":");
  notPublic.addSubnet(`2002:${carried}::`, 16 + prefix, "ipv6");
}

/** All that is given out as public is in here; the exceptions follow. */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");
for (const carrier of carriers) global6.addSubnet(`${carrier}0.0.0.0`, 96, "ipv6");

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
  return kind === 6 && global6.check(plain, "ipv6") && !notPublic.check(plain, "ipv6");
}
