import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { redactor, redactValue, secretsOf } from "./redact.ts";

// Made of pieces, so that no file of ours looks like it held a key.
const letters = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2dE3f";
const long = (length: number) => letters.repeat(4).slice(0, length);

const redact = redactor([]);

const secrets: readonly [kind: string, text: string, left: string][] = [
  ["anthropic-key", `key sk-ant-${"api03-"}${long(60)}.`, "key [redacted:anthropic-key]."],
  ["openai-key", `sk-${"proj-"}${long(40)}`, "[redacted:openai-key]"],
  ["api-key", `KEY: sk-${long(40)}`, "KEY: [redacted:api-key]"],
  ["github-token", `ghp_${long(36)}`, "[redacted:github-token]"],
  ["github-token", `gho_${long(36)},`, "[redacted:github-token],"],
  ["github-token", `github_pat_${long(22)}_${long(40)}`, "[redacted:github-token]"],
  ["gitlab-token", `glpat-${long(20)}`, "[redacted:gitlab-token]"],
  ["aws-key", `id=AKIA${"ABCDEFGHIJ234567"} x`, "id=[redacted:aws-key] x"],
  ["aws-secret", `aws_secret_access_key = ${long(40)}`, "aws_secret_access_key = [redacted:aws-secret]"],
  ["slack-token", `xoxb-${"123456789012-"}${long(24)}`, "[redacted:slack-token]"],
  [
    "slack-webhook",
    `https://hooks.slack.com/services/T${"0AAAAAAA"}/B${"0BBBBBBB"}/${long(24)}`,
    "https://hooks.slack.com/services/[redacted:slack-webhook]",
  ],
  ["google-key", `"AIza${long(35)}"`, '"[redacted:google-key]"'],
  ["stripe-key", `sk_live_${long(24)}`, "[redacted:stripe-key]"],
  ["npm-token", `//host/:_authToken=npm_${long(36)}`, "//host/:_authToken=[redacted:npm-token]"],
  ["huggingface-token", `hf_${long(34)}`, "[redacted:huggingface-token]"],
  ["jwt", `eyJ${long(20)}.eyJ${long(30)}.${long(43)}`, "[redacted:jwt]"],
  ["authorization", `Authorization: Bearer ${long(30)}`, "Authorization: Bearer [redacted:authorization]"],
  [
    "authorization",
    `authorization: Basic ${"dXNlcjpodW50ZXIy"}==`,
    "authorization: Basic [redacted:authorization]",
  ],
  [
    "authorization",
    `curl -H "Authorization: token ${long(20)}"`,
    'curl -H "Authorization: token [redacted:authorization]"',
  ],
  ["authorization", `Bearer ${long(32)}`, "Bearer [redacted:authorization]"],
  ["api-key", `x-api-key: ${long(20)}`, "x-api-key: [redacted:api-key]"],
  ["password", "postgres://me:hunter2!@db:5432/x", "postgres://me:[redacted:password]@db:5432/x"],
  [
    "password",
    `https://me:ghx${long(5)}@git.example/x.git`,
    "https://me:[redacted:password]@git.example/x.git",
  ],
  ["value", "DB_PASSWORD=hunter2hunter2\nA=b", "DB_PASSWORD=[redacted:value]\nA=b"],
  ["value", 'export MY_API_KEY="abcdefgh1"', 'export MY_API_KEY="[redacted:value]"'],
  // After the rules of secretlint's recommended preset.
  ["aws-key", `A3TX${"ABCDEFGHIJ234567"}`, "[redacted:aws-key]"],
  ["aws-secret", `"AWSSecretAccessKey" => "${long(40)}"`, '"AWSSecretAccessKey" => "[redacted:aws-secret]"'],
  ["google-token", `GOCSPX-${long(28)}`, "[redacted:google-token]"],
  ["grafana-token", `glc_${long(60)}=`, "[redacted:grafana-token]"],
  ["grafana-token", `glsa_${long(32)}_${"0a1b2c3d"}`, "[redacted:grafana-token]"],
  ["npm-token", `//registry/:_authToken=${long(24)}`, "//registry/:_authToken=[redacted:npm-token]"],
  ["slack-token", `xapp-1-${"A0AAAAAAA-1234567890-"}${long(40)}`, "[redacted:slack-token]"],
  ["stripe-key", `rk_live_${long(24)}`, "[redacted:stripe-key]"],
  ["sendgrid-key", `SG.${long(22)}.${long(43)}`, "[redacted:sendgrid-key]"],
  ["shopify-token", `shpat_${long(32)}`, "[redacted:shopify-token]"],
  ["linear-key", `lin_api_${long(40)}`, "[redacted:linear-key]"],
  ["notion-token", `ntn_${"12345678901"}${long(35)}`, "[redacted:notion-token]"],
  ["figma-token", `figd_${long(40)}`, "[redacted:figma-token]"],
  ["vault-token", `hvs.${long(95)}`, "[redacted:vault-token]"],
  ["vault-token", `hvb.${long(150)}`, "[redacted:vault-token]"],
  ["onepassword-token", `ops_ey${long(120)}fQ==`, "[redacted:onepassword-token]"],
  ["docker-token", `dckr_pat_${long(27)}`, "[redacted:docker-token]"],
  ["databricks-token", `dapi${"0123456789abcdef".repeat(2)}-2`, "[redacted:databricks-token]"],
  ["vercel-token", `vcp_${long(24)}`, "[redacted:vercel-token]"],
  ["azure-secret", `x: ${"abc8Q~"}${long(34)}`, "x: [redacted:azure-secret]"],
  [
    "azure-key",
    `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${long(86)}==;`,
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=[redacted:azure-key];",
  ],
  [
    "password",
    "Server=db;User Id=sa;Password=hunter2!;",
    "Server=db;User Id=sa;Password=[redacted:password];",
  ],
  ["password", "mongodb+srv://me:hunter2!@c.example/x", "mongodb+srv://me:[redacted:password]@c.example/x"],
  ["password", "jdbc:mysql://me:hunter2!@db/x", "jdbc:mysql://me:[redacted:password]@db/x"],
  [
    "password",
    `https://${long(40)}:x-oauth-basic@github.com/a/b.git`,
    "https://[redacted:password]:x-oauth-basic@github.com/a/b.git",
  ],
  ["github-token", `/home/me/ghp_${long(36)}/x`, "/home/me/[redacted:github-token]/x"],
  ["gitlab-token", `gldt-${long(20)}`, "[redacted:gitlab-token]"],
  [
    "age-key",
    `AGE-SECRET-KEY-1${"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2).slice(0, 58)}`,
    "[redacted:age-key]",
  ],
  [
    "private-key",
    `a\n-----BEGIN RSA PRIVATE${" KEY"}-----\n${long(64)}\n${long(30)}\n-----END RSA PRIVATE${" KEY"}-----\nb`,
    "a\n[redacted:private-key]\nb",
  ],
  [
    "private-key",
    `-----BEGIN OPENSSH PRIVATE${" KEY"}-----\n${long(64)}\n${long(64)}\n`,
    "[redacted:private-key]",
  ],
  [
    "private-key",
    `"-----BEGIN PRIVATE${" KEY"}-----\\n${long(64)}\\n-----END PRIVATE${" KEY"}-----\\n"`,
    '"[redacted:private-key]\\n"',
  ],
];

test("a key of a well-known kind does not get out", () => {
  for (const [kind, text, left] of secrets) assert.equal(redact(text), left, `${kind}: ${text}`);
});

const harmless: readonly string[] = [
  "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "da39a3ee5e6b4b0d3255bfef95601890afd80709",
  `"integrity": "sha512-${long(86)}=="`,
  "index 83db48f..bf2a1c0 100644",
  `data:image/png;base64,iVBORw0KGgo${long(100)}`,
  `//# sourceMappingURL=data:application/json;base64,eyJ${long(80)}`,
  "sk-circle-fade-dot-animation-delay-long-name",
  "task-sk-list-item-with-a-long-name-2000",
  "const token = await readToken(file);",
  "password: string; secret: boolean",
  "PASSWORD=$DB_PASSWORD",
  "API_KEY=your-api-key-here",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's
  "TOKEN=${TOKEN_FROM_VAULT}",
  "https://example.com:8080/a@b",
  "https://user:password@example.com",
  "postgres://user:<password>@host/db",
  "git@github.com:owner/repo.git",
  "Authorization: Bearer <token>",
  "The bearer of this letter",
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@host",
  `-----BEGIN PUBLIC KEY-----\n${long(64)}\n-----END PUBLIC KEY-----`,
  `-----BEGIN CERTIFICATE-----\n${long(64)}\n-----END CERTIFICATE-----`,
  "AKIAnothing",
  "npm_config_registry",
  "PRIMARY_KEY=identifier",
  "xoxo-hugs",
  'createHeaders({ "x-api-key": loadApiKey({',
  "authorization: request.headers.authorization",
  "https://a:b@example.com",
  "my-ghp-token-is-not-here",
  "npm_config_with_a_very_long_name_that_goes_on_and_on",
  "secret_sharing_between_many_processes_of_one_machine",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's
  "User=a; Password=${PASSWORD};",
  "12:34:56 meeting",
  "C:\\Users\\me",
];

test("hashes, ids, images, integrity strings and plain words stay", () => {
  for (const text of harmless) assert.equal(redact(text), text);
});

test("known values go, as they are, in JSON and in addresses; short ones stay", () => {
  const hide = redactor(['pa"ss w/rd1', "abcdefgh", "short", "redacted", "secret"]);
  assert.equal(hide('x pa"ss w/rd1 y'), "x [redacted:secret] y");
  assert.equal(hide(JSON.stringify({ a: 'pa"ss w/rd1' })), '{"a":"[redacted:secret]"}');
  assert.equal(hide(`?q=${encodeURIComponent('pa"ss w/rd1')}`), "?q=[redacted:secret]");
  assert.equal(hide("abcdefghi short redacted secret"), "[redacted:secret]i short redacted secret");
  assert.equal(redactor(["$&.*(x|y)+"])("a$&.*(x|y)+b"), "a[redacted:secret]b");
});

test("redacting twice is the same as redacting once", () => {
  const pieces = [
    ...secrets.map(([, text]) => text),
    ...harmless,
    "\n",
    " ",
    "=",
    "Bearer ",
    "://a:",
    "@",
    "TOKEN=",
    "abcdefgh",
  ];
  const hide = redactor(["abcdefgh", "hunter2!", long(20)]);
  const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string())).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (value) => {
      const once = hide(value);
      assert.equal(hide(once), once);
    }),
    { numRuns: runs(2000) },
  );
});

test("a long text takes no longer than its length", () => {
  const pieces = [
    "eyJ",
    "eyJ.",
    "sk-",
    "a://b:",
    "-----BEGIN PRIVATE" + " KEY-----",
    "Bearer ",
    "A_",
    "=",
    "a",
    "ghp_",
    "xoxb-",
    "a.",
    "authorization:",
    "aws_secret_access_key=",
    "SG.a",
    "\n",
    "A".repeat(60),
  ];
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const begun = performance.now();
    redact(text);
    assert.ok(performance.now() - begun < 5000, `${piece} takes ${performance.now() - begun} ms`);
  }
});

test("values in nested JSON go, by what they are and by how they are called", () => {
  const value = {
    a: [`ghp_${long(36)}`, 1, null, true],
    b: { apiKey: "plain-but-named", password: "x", note: "fine" },
  };
  assert.deepEqual(redactValue(value, redact), {
    a: ["[redacted:github-token]", 1, null, true],
    b: { apiKey: "[redacted:value]", password: "x", note: "fine" },
  });
  assert.deepEqual(
    redactValue(JSON.parse('{"__proto__": {"a": "b"}}'), redact),
    JSON.parse('{"__proto__": {"a": "b"}}'),
  );
  let deep: unknown = "x";
  for (let level = 0; level < 5000; level += 1) deep = [deep];
  assert.ok(JSON.stringify(redactValue(deep, redact)).includes("[redacted:too-deep]"));
});

test("secrets of the environment are told by their names", () => {
  const environment = {
    OPENAI_API_KEY: "abc-123-def",
    GITHUB_TOKEN: "tok-1234567",
    DB_PASSWORD: "hunter2hunter2",
    DATABASE_URL: "postgres://me:s3cretpass@db/x",
    PATH: "/usr/bin:/bin",
    SSH_AUTH_SOCK: "/tmp/ssh-agent.1",
    TOKEN_FILE: "/run/secrets/token",
    MAX_TOKENS: "12345678",
    SHORT_TOKEN: "abc",
    HOME: "/home/someone",
    MY_SECRET: "your-secret-here",
  };
  assert.deepEqual(secretsOf(environment), ["abc-123-def", "tok-1234567", "hunter2hunter2", "s3cretpass"]);
});
