// The page where no other is given: it signs in with the link's token, and says that the server runs and what is missing.
// Values from the server are inserted as text, never as HTML.

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stet</title>
<link rel="icon" href="/stet.svg">
<link rel="stylesheet" href="/stet.css">
</head>
<body>
<main>
<h1>Stet</h1>
<p id="state" role="status" aria-live="polite">Signing in …</p>
<p id="advice"></p>
<dl id="workspace" hidden>
<dt>Folder</dt><dd id="root"></dd>
<dt>Waiting for review</dt><dd id="hunks"></dd>
<dt>Jobs</dt><dd id="jobs"></dd>
</dl>
<p>The page of the workspace is not built here. In Stet's repository, <code>npm start</code> builds and opens it.</p>
<p>What the API can do: <a href="/api/openapi.json">openapi.json</a>.</p>
</main>
<noscript>This page needs JavaScript to sign in.</noscript>
<script type="module" src="/stet.js"></script>
</body>
</html>
`;

const css = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 36rem; margin: 15vh auto 0; padding: 0 1rem; }
dt { font-weight: 600; }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
`;

const script = `const say = (id, text) => { document.getElementById(id).textContent = text; };

// The token leaves the address bar and the history before anything else happens.
const token = new URLSearchParams(location.hash.slice(1)).get("token");
if (location.hash !== "") history.replaceState(null, "", location.pathname);

async function ask(path, options) {
  const reply = await fetch(path, { credentials: "same-origin", ...options });
  return { ok: reply.ok, body: await reply.json() };
}

async function signIn() {
  if (token === null) return null;
  return ask("/api/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
}

try {
  const login = await signIn();
  const workspace = await ask("/api/workspace");
  if (workspace.ok) {
    say("state", "The server runs, and this browser is signed in.");
    say("root", workspace.body.root);
    say("hunks", String(workspace.body.open_hunks));
    say("jobs", String(workspace.body.jobs_running));
    document.getElementById("workspace").hidden = false;
  } else {
    const problem = login !== null && !login.ok ? login.body : workspace.body;
    say("state", problem.message);
    say("advice", problem.suggestion);
  }
} catch {
  say("state", "The server does not answer.");
  say("advice", "Start it again with: stet serve");
}
`;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="3" cy="12" r="1.5"/><circle cx="8" cy="12" r="1.5"/><circle cx="13" cy="12" r="1.5"/></svg>
`;

export const plainPage: Readonly<Record<string, string>> = {
  "index.html": html,
  "stet.css": css,
  "stet.js": script,
  "stet.svg": icon,
};
