// What the page has in place of the schema library: nothing that checks.
//
// The routes of the API are data with a schema for each part. The page only needs their methods and paths; what it sends is
// checked by the server, and what it gets was. Building the schemas took a fifth of the time until the first picture. So the
// page's build puts this here: whatever is asked of it is itself again.

const nothing: unknown = new Proxy(() => nothing, {
  // Not "then": it is no promise, and whoever waited for it would wait forever.
  get: (_target, name) => (typeof name === "symbol" || name === "then" ? undefined : nothing),
  apply: () => nothing,
});

export {
  nothing as array,
  nothing as base64,
  nothing as boolean,
  nothing as coerce,
  nothing as discriminatedUnion,
  nothing as enum,
  nothing as iso,
  nothing as literal,
  nothing as number,
  nothing as object,
  nothing as record,
  nothing as string,
  nothing as tuple,
  nothing as union,
  nothing as unknown,
  nothing as url,
};
