// What the tokenizer needs to know of a language: its comments, strings and words.

export interface LanguageRules {
  readonly lineComments: readonly string[];
  /** Openers with their closers. They may go over several lines, as strings of `longStrings` do. */
  readonly blockComments: readonly (readonly [string, string])[];
  readonly strings: readonly string[];
  readonly longStrings: readonly string[];
  readonly keywords: ReadonlySet<string>;
  /** Whether the case of a keyword does not matter. */
  readonly isCaseless: boolean;
  /** Whether a word with a capital is a type. */
  readonly hasTypes: boolean;
  /** Sticky. */
  readonly name: RegExp;
}

interface Given {
  readonly line?: readonly string[];
  readonly block?: readonly (readonly [string, string])[];
  readonly strings?: readonly string[];
  readonly long?: readonly string[];
  readonly words: string;
  readonly caseless?: boolean;
  readonly types?: boolean;
  /** What a name may hold beside letters, digits and `_`. */
  readonly name?: string;
}

const cComments = { line: ["//"], block: [["/*", "*/"]] } as const;

const given: Readonly<Record<string, Given>> = {
  javascript: {
    ...cComments,
    long: ["`"],
    types: true,
    name: "$",
    words:
      "abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace never new null number of override private protected public readonly return satisfies set static string super switch symbol this throw true try type typeof undefined unknown using var void while with yield",
  },
  python: {
    line: ["#"],
    long: ['"""', "'''"],
    types: true,
    words:
      "False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
  },
  rust: {
    ...cComments,
    strings: ['"'],
    types: true,
    words:
      "as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i16 i32 i64 i8 if impl in isize let loop match mod move mut pub ref return self Self static str struct super trait true type u16 u32 u64 u8 unsafe use usize where while",
  },
  go: {
    ...cComments,
    long: ["`"],
    types: true,
    words:
      "bool break byte case chan const continue default defer else error fallthrough false float32 float64 for func go goto if import int int32 int64 interface iota map nil package range return rune select string struct switch true type uint8 uint64 var",
  },
  c: {
    ...cComments,
    types: true,
    name: "#",
    words:
      "#define #endif #if #ifdef #ifndef #include alignas auto bool break case catch char class const constexpr continue default delete do double else enum explicit extern false final float for friend if inline int long namespace new noexcept nullptr operator override private protected public register return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while NULL",
  },
  java: {
    ...cComments,
    long: ['"""'],
    types: true,
    name: "@$",
    words:
      "abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for if implements import instanceof int interface long native new null package private protected public record return sealed short static super switch synchronized this throw throws transient true try var void volatile while yield",
  },
  kotlin: {
    ...cComments,
    long: ['"""'],
    types: true,
    name: "@",
    words:
      "abstract as break by catch class companion const continue data do else enum false finally for fun if import in init inline interface internal is it lateinit null object open operator override package private protected public return sealed super suspend this throw true try typealias val var vararg when where while",
  },
  swift: {
    ...cComments,
    strings: ['"'],
    long: ['"""'],
    types: true,
    name: "@#",
    words:
      "actor any as associatedtype async await break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate final for func get guard if import in init inout internal is lazy let mutating nil open operator override private protocol public repeat rethrows return self Self set some static struct subscript super switch throw throws true try typealias var weak where while",
  },
  csharp: {
    ...cComments,
    types: true,
    name: "@#",
    words:
      "abstract as async await base bool break byte case catch char class const continue decimal default delegate do double else enum event explicit extern false finally fixed float for foreach get goto if implicit in init int interface internal is lock long namespace new null object operator out override params private protected public readonly record ref return sealed set short sizeof static string struct switch this throw true try typeof uint ulong unchecked unsafe using var virtual void volatile when where while yield",
  },
  php: {
    line: ["//", "#"],
    block: [["/*", "*/"]],
    types: true,
    name: "$",
    words:
      "abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty enum extends false final finally fn for foreach function global if implements include instanceof interface isset list match namespace new null or print private protected public readonly require require_once return static switch this throw trait true try unset use var while yield",
  },
  ruby: {
    line: ["#"],
    block: [["=begin", "=end"]],
    types: true,
    name: "@$?!",
    words:
      "alias and begin break case class def defined? do else elsif end ensure extend false for if in include lambda module next nil not or private proc protected public raise redo require require_relative rescue retry return self super then true undef unless until when while yield attr_accessor attr_reader attr_writer puts",
  },
  shell: {
    line: ["#"],
    long: ['"', "'"],
    strings: ["`"],
    name: "$-",
    words:
      "alias break case cd continue declare do done echo elif else esac eval exec exit export false fi for function if in local printf read readonly return set shift source sudo test then trap true unset until while",
  },
  powershell: {
    line: ["#"],
    block: [["<#", "#>"]],
    name: "$-",
    caseless: true,
    words:
      "begin break catch class continue do else elseif end enum exit filter finally for foreach from function if in param process return switch throw trap try until using while",
  },
  sql: {
    line: ["--"],
    block: [["/*", "*/"]],
    caseless: true,
    words:
      "add all alter and any as asc begin between by case cast check column commit constraint create cross database default delete desc distinct drop else end exists false foreign from full function group having if in index inner insert int integer into is join key left like limit not null offset on or order outer over partition primary references returning right rollback select set table text then transaction trigger true union unique update using values varchar view when where window with",
  },
  lua: {
    line: ["--"],
    block: [["--[[", "]]"]],
    words:
      "and break do else elseif end false for function goto if in local nil not or repeat return then true until while self",
  },
  toml: { line: ["#"], long: ['"""', "'''"], name: "-", words: "true false inf nan" },
  ini: { line: ["#", ";"], name: "-.", words: "true false yes no on off" },
  yaml: { line: ["#"], name: "-", words: "true false null yes no on off" },
  json: { ...cComments, strings: ['"'], words: "true false null" },
  css: {
    block: [["/*", "*/"]],
    name: "-@#",
    words:
      "@media @import @keyframes @layer @supports @font-face important inherit initial unset none auto block flex grid absolute relative fixed sticky",
  },
  html: { block: [["<!--", "-->"]], name: "-", words: "" },
  make: {
    line: ["#"],
    name: "$-.",
    words: "define else endef endif export ifdef ifeq ifndef ifneq include override .PHONY",
  },
  docker: {
    line: ["#"],
    words: "ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL USER VOLUME WORKDIR",
  },
  elixir: {
    line: ["#"],
    long: ['"""'],
    types: true,
    name: "@?!",
    words:
      "after alias and case catch cond def defimpl defmacro defmodule defp defprotocol defstruct do else end false fn for if import in nil not or quote raise receive require rescue true try unless unquote use when with",
  },
  haskell: {
    line: ["--"],
    block: [["{-", "-}"]],
    strings: ['"'],
    types: true,
    name: "'",
    words:
      "case class data default deriving do else forall foreign if import in infix infixl infixr instance let module newtype of qualified then type where",
  },
  scala: {
    ...cComments,
    long: ['"""'],
    types: true,
    words:
      "abstract case catch class def do else enum extends false final finally for given if implicit import lazy match new null object override package private protected return sealed super then this throw trait true try type using val var while with yield",
  },
  dart: {
    ...cComments,
    long: ['"""', "'''"],
    types: true,
    name: "@$",
    words:
      "abstract as assert async await bool break case catch class const continue default do double dynamic else enum export extends extension factory false final finally for get if implements import in int interface is late library mixin new null on operator part required rethrow return set static super switch sync this throw true try typedef var void while with yield",
  },
  zig: {
    line: ["//"],
    strings: ['"'],
    types: true,
    name: "@",
    words:
      "align and anytype asm async await break catch comptime const continue defer else enum errdefer error export extern false fn for if inline null or orelse packed pub return struct switch test true try undefined union unreachable usingnamespace var volatile while",
  },
};

const aliases: Readonly<Record<string, string>> = {
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  ts: "javascript",
  tsx: "javascript",
  mts: "javascript",
  cts: "javascript",
  typescript: "javascript",
  py: "python",
  py3: "python",
  rs: "rust",
  golang: "go",
  h: "c",
  cpp: "c",
  "c++": "c",
  cc: "c",
  cxx: "c",
  hpp: "c",
  objc: "c",
  m: "c",
  kt: "kotlin",
  kts: "kotlin",
  cs: "csharp",
  "c#": "csharp",
  rb: "ruby",
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  fish: "shell",
  console: "shell",
  "shell-session": "shell",
  ps1: "powershell",
  pwsh: "powershell",
  mysql: "sql",
  postgresql: "sql",
  sqlite: "sql",
  conf: "ini",
  cfg: "ini",
  properties: "ini",
  dotenv: "ini",
  env: "ini",
  yml: "yaml",
  jsonc: "json",
  json5: "json",
  jsonl: "json",
  scss: "css",
  less: "css",
  htm: "html",
  xml: "html",
  svg: "html",
  vue: "html",
  svelte: "html",
  makefile: "make",
  mk: "make",
  dockerfile: "docker",
  ex: "elixir",
  exs: "elixir",
  hs: "haskell",
  sc: "scala",
  patch: "diff",
  md: "markdown",
}; // prettier-ignore

/** The name under which a language is known here: of a fence's word, or of a file's ending. */
export function languageName(word: string): string {
  const plain = word.toLowerCase();
  return Object.hasOwn(aliases, plain) ? (aliases[plain] ?? plain) : plain;
}

const made = new Map<string, LanguageRules>();

export function languageRules(language: string): LanguageRules | undefined {
  const known = made.get(language);
  if (known !== undefined) return known;
  const rules = Object.hasOwn(given, language) ? given[language] : undefined;
  if (rules === undefined) return undefined;
  const { line = [], block = [], strings = ['"', "'"], long = [], words, caseless = false } = rules;
  const full: LanguageRules = {
    lineComments: line,
    blockComments: block,
    strings,
    longStrings: long,
    keywords: new Set(words.split(" ")),
    isCaseless: caseless,
    hasTypes: rules.types ?? false,
    name: new RegExp(`[\\p{L}\\p{N}_${(rules.name ?? "").replace(/[-\]^\\]/g, "\\$&")}]+`, "uy"),
  };
  made.set(language, full);
  return full;
}
