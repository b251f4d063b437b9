import assert from "node:assert/strict";
import { test } from "node:test";
import { isPublicAddress } from "./private-address.ts";

test("no address of this machine, its network or the cloud's own services counts as public", () => {
  for (const address of [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.127.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "::ffff:0:10.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:c0a8:0101::1",
    "2001::1",
    "2001:db8::1",
    "fec0::1",
    "100::1",
    "localhost",
    "",
    "0x7f.1",
  ]) {
    assert.equal(isPublicAddress(address), false, address);
  }
});

test("addresses out in the world are public", () => {
  for (const address of [
    "93.184.216.34",
    "8.8.8.8",
    "172.15.255.255",
    "172.32.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "2606:2800:220:1:248:1893:25c8:1946",
    "2a00:1450:4001:830::200e",
    "::ffff:8.8.8.8",
    "2002:808:808::1",
  ]) {
    assert.equal(isPublicAddress(address), true, address);
  }
});
