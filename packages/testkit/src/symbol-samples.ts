// Sources in every language whose symbols are known, for tests.

export interface SymbolSample {
  readonly path: string;
  readonly source: string;
  /** `first-last kind path`. */
  readonly symbols: readonly string[];
}

export const samples: readonly SymbolSample[] = [
  {
    path: "shop.ts",
    source: `// Copyright of the file.
import a from "a";
import { b } from "b";

/** Größe 😀 */
export function f(a: string): void;
export function f(a: unknown) {
  const inner = () => {
    return \`
 raw \${a}\`;
  };
}
// loose

export default class Foo {
  /** d */
  @deco()
  @two m() {}
  @three b = 1;

  get x() { return 1; }
  set x(v) {}
  #p = () => {
    return 1;
  };
  static nested = class {
    q() {}
  };
}

@D
export class Z {}

export const api = {
  get() {
    return 1;
  },
  post: () => {
    return 2;
  },
  put: function () {}
};
const one = 1, two = 2;
namespace Space {
  export const y = 1;
}
interface Shape {
  p: string;
  m(): void;
}
type T = { k: string };
enum E {
  A = 1,
  B,
}
exports.x = function () {};
`,
    symbols: [
      "2-3 imports imports",
      "5-6 function f",
      "7-12 function f",
      "8-11 function f.inner",
      "15-29 class Foo",
      "16-18 method Foo.m",
      "19-19 field Foo.b",
      "21-21 method Foo.x",
      "22-22 method Foo.x",
      "23-25 field Foo.#p",
      "26-28 field Foo.nested",
      "27-27 method Foo.nested.q",
      "31-32 class Z",
      "34-42 constant api",
      "35-37 method api.get",
      "38-40 method api.post",
      "41-41 method api.put",
      "43-43 constant one",
      "43-43 constant two",
      "44-46 module Space",
      "45-45 constant Space.y",
      "47-50 interface Shape",
      "48-48 field Shape.p",
      "49-49 method Shape.m",
      "51-51 type T",
      "51-51 field T.k",
      "52-55 enum E",
      "53-53 field E.A",
      "56-56 function exports.x",
    ],
  },
  {
    path: "view.tsx",
    source:
      "export const View = () => {\n  return <p>é {1}</p>;\n};\n\nexport default function () {\n  return <View />;\n}\n",
    symbols: ["1-3 function View", "5-7 function default"],
  },
  {
    path: "old.js",
    source: "class A {\n  x = 1;\n\n  m() {}\n}\n\nmodule.exports = {\n  a() {},\n  b() {}\n};\n",
    symbols: [
      "1-5 class A",
      "2-2 field A.x",
      "4-4 method A.m",
      "7-10 function module.exports",
      "8-8 method module.exports.a",
      "9-9 method module.exports.b",
    ],
  },
  {
    path: "app.py",
    source: `#!/usr/bin/env python
import os
from a import b

X: int = 1


# doc
@deco
def f(a):
    """Doc

    é
    """
    def inner(): return 1
    return a


class A(B):
    y = {1: 2}

    @property
    def z(self): return 1

    class Deep:
        def w(self):
            return """
raw
"""
`,
    symbols: [
      "2-3 imports imports",
      "5-5 constant X",
      "8-16 function f",
      "15-15 function f.inner",
      "19-29 class A",
      "20-20 constant A.y",
      "22-23 function A.z",
      "25-29 class A.Deep",
      "26-29 function A.Deep.w",
    ],
  },
  {
    path: "main.go",
    source:
      'package a\n\nimport (\n\t"fmt"\n)\n\n// doc\nfunc F() {\n\tfmt.Println("é")\n}\n\nfunc (r *T[K]) M(x int) error {\n\treturn nil\n}\n\nfunc (T) N() {}\n\ntype T struct {\n\ta, b int\n\tE\n}\n\ntype I interface {\n\tM()\n}\n\nconst (\n\tA = 1\n\tB = 2\n)\n\nvar v = 1\n',
    symbols: [
      "3-5 imports imports",
      "7-10 function F",
      "12-14 method T.M",
      "16-16 method T.N",
      "18-21 type T",
      "19-19 field T.a",
      "20-20 field T.E",
      "23-25 type I",
      "24-24 method I.M",
      "28-28 constant A",
      "29-29 constant B",
      "32-32 constant v",
    ],
  },
  {
    path: "lib.rs",
    source: `use a;
use b;

/// doc
#[derive(Debug)]
pub struct P {
    x: i32,
    y: i32
}

impl P {
    /// New.
    pub fn new() -> Self {
        P { x: 1, y: 1 }
    }
}

impl<T> fmt::Display for P<T> {
    fn fmt(&self) {}
}

enum E {
    A,
    B(i32),
}

trait Tr {
    fn t(&self);
}

mod m {
    #[test]
    fn inner() {}
}
`,
    symbols: [
      "1-2 imports imports",
      "4-9 struct P",
      "7-7 field P.x",
      "8-8 field P.y",
      "11-16 impl impl P",
      "12-15 function P.new",
      "18-20 impl impl fmt::Display for P<T>",
      "19-19 function P.fmt",
      "22-25 enum E",
      "23-23 field E.A",
      "24-24 field E.B",
      "27-29 trait Tr",
      "28-28 function Tr.t",
      "31-34 module m",
      "32-33 function m.inner",
    ],
  },
  {
    path: "A.java",
    source: `package a;

import b.C;

/** doc */
@Ann
public class A {
    @X int a = 1;

    /** m */
    @Override
    public void f() {
        int x = 1;
    }

    A() {}

    enum E {
        P,
        Q
    }

    interface I {
        void g();
    }
}
`,
    symbols: [
      "3-3 imports imports",
      "5-26 class A",
      "8-8 field A.a",
      "10-14 method A.f",
      "16-16 method A.A",
      "18-21 enum A.E",
      "19-19 field A.E.P",
      "20-20 field A.E.Q",
      "23-25 interface A.I",
      "24-24 method A.I.g",
    ],
  },
  {
    path: "a.c",
    source:
      '#include <a.h>\n#include "b.h"\n\n#define M 1\n\nstruct foo {\n  int a;\n  char *b;\n};\n\ntypedef struct {\n  int c;\n} bar;\n\n/* doc */\nstatic int *f(int a) {\n  return 0;\n}\n\nint (*fp)(int);\n\nenum e {\n  A,\n  B\n};\n',
    symbols: [
      "1-2 imports imports",
      "4-4 macro M",
      "6-9 struct foo",
      "7-7 field foo.a",
      "8-8 field foo.b",
      "11-13 type bar",
      "12-12 field bar.c",
      "15-18 function f",
      "20-20 constant fp",
      "22-25 enum e",
      "23-23 field e.A",
      "24-24 field e.B",
    ],
  },
  {
    path: "a.css",
    source: ".a, .b {\n  color: red;\n}\n\n@media (x) {\n  .c {\n    color: blue;\n  }\n}\n",
    symbols: ["1-3 rule .a, .b", "5-9 rule @media (x)", "6-8 rule @media (x) > .c"],
  },
  {
    path: "a.md",
    source: "---\nt: 1\n---\n# A\n\ntext\n\n## B\n\nx\n\n## C\n\nD\n=\ny\n",
    symbols: ["4-12 section A", "8-10 section A > B", "12-12 section A > C", "14-16 section D"],
  },
  {
    path: "a.json",
    source: '{\n  "a": 1,\n  "b": {\n    "c": [1, 2],\n    "d": "é"\n  }\n}\n',
    symbols: ["2-2 key a", "3-6 key b", "4-4 key b.c", "4-4 key b.c[0]", "4-4 key b.c[1]", "5-5 key b.d"],
  },
  {
    path: "a.yaml",
    source: "a: 1\nb:\n  c:\n    - 1\n    - 2\n  d: 2\n",
    symbols: ["1-1 key a", "2-6 key b", "3-5 key b.c", "4-4 key b.c[0]", "5-5 key b.c[1]", "6-6 key b.d"],
  },
];
