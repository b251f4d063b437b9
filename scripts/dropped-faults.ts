// Calls whose result may be a fault and is not used: `T | Fault` returned is `T | Fault` to be looked at.
//
// A call that stands as a statement, with `await` or `void` before it or not, drops its result. Types come from the compiler
// itself, so that it does not matter how a function is called or where its type was inferred. Tests and the testkit are free.
// Where dropping is right, `ignoreFault` says so; `tellIfFault` tells people of a fault that keeps nothing from going on.

import { join, relative } from "node:path";
import { type Expression, type Node, SyntaxKind } from "typescript/unstable/ast";
import { isCallExpression, isExpressionStatement } from "typescript/unstable/ast/is";
import { API, type Checker, type Type } from "typescript/unstable/sync";

export function droppedFaults(root: string): string[] {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(root, "tsconfig.json")] });
    return snapshot.getProjects().flatMap(({ checker, program, rootFiles }) => {
      const isFaulty = faultTypes(checker);
      return rootFiles.filter(isChecked).flatMap((path) => {
        const file = program.getSourceFile(path);
        if (file === undefined) return [];
        const calls = callStatements(file);
        return checker.getTypeAtLocation(calls).flatMap((type, at) => {
          const call = calls[at];
          if (type === undefined || call === undefined || !isFaulty(type)) return [];
          const start = file.text.slice(0, call.getStart(file));
          const [code] = file.text.slice(start.length, start.length + 80).split("\n");
          return `${relative(root, path)}:${start.split("\n").length} drops the fault that may come of ${code}`;
        });
      });
    });
  } finally {
    api.close();
  }
}

function isChecked(path: string): boolean {
  return !/\.(?:test|fuzz)\.tsx?$/.test(path) && !/\/(?:testkit|bench|scripts)\//.test(path);
}

function callStatements(file: Node): Expression[] {
  const calls: Expression[] = [];
  const visit = (node: Node): void => {
    if (isExpressionStatement(node)) {
      const call = withoutWrapping(node.expression);
      if (isCallExpression(call)) calls.push(call);
    }
    node.forEachChild(visit);
  };
  visit(file);
  return calls;
}

const wrapping = new Set([
  SyntaxKind.AwaitExpression,
  SyntaxKind.VoidExpression,
  SyntaxKind.ParenthesizedExpression,
]);

function withoutWrapping(expression: Expression): Expression {
  const inner = "expression" in expression ? (expression.expression as Expression) : undefined;
  return inner !== undefined && wrapping.has(expression.kind) ? withoutWrapping(inner) : expression;
}

/** Whether a value of a type, or what its promise resolves to, may be a fault. Each type is asked for once. */
function faultTypes(checker: Checker): (type: Type) => boolean {
  const known = new Map<number, boolean>();
  const isFaulty = (type: Type): boolean => {
    const found = known.get(type.id) ?? mayBeFault(type);
    known.set(type.id, found);
    return found;
  };
  const mayBeFault = (type: Type): boolean => {
    if (type.isUnionType()) return (type.getTypes() ?? []).some(isFaulty);
    const name = type.getSymbol()?.name;
    if (name !== "Promise" || !type.isTypeReference()) return name === "Fault";
    return checker.getTypeArguments(type).some(isFaulty);
  };
  return isFaulty;
}
