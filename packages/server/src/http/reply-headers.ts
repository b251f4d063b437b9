// Headers that every reply carries. There is none that lets another origin in.

import { randomBytes } from "node:crypto";

/** What a page of ours may load: itself. Nothing may frame it, and no form of it goes anywhere. */
const pageRules = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
];

/** A reply that is no page may load nothing at all, should a browser ever take it for one. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

export const everyReply: Readonly<Record<string, string>> = {
  "Content-Security-Policy": dataPolicy,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
  "Cache-Control": "no-store",
};

/** A page with its own word for style elements: the editor makes some, and nothing else can. */
export function pagePolicy(styleNonce: string): string {
  return [...pageRules, `style-src 'self' 'nonce-${styleNonce}'`].join("; ");
}

export function newNonce(): string {
  return randomBytes(16).toString("base64");
}
