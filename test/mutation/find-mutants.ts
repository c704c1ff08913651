/** Every small fault that could be put into a source file: one place, one change. Pure. */
import {
  parseSync,
  visitorKeys,
  type ConditionalExpression,
  type IfStatement,
  type Node,
  type WhileStatement,
} from "oxc-parser";

export interface Mutant {
  file: string;
  line: number;
  start: number;
  end: number;
  replacement: string;
  /** The change, as `before → after`. */
  change: string;
}

const OTHER_OPERATOR: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
  "??": "&&",
};

export function findMutants(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const mutants: Mutant[] = [];
  visit(program, undefined, (node, parent) => {
    for (const { start, end, replacement } of faultsIn(node, parent, source)) {
      if (replacement === source.slice(start, end)) continue;
      const line = source.slice(0, start).split("\n").length;
      const change = `${oneLine(source.slice(start, end))} → ${oneLine(replacement) || "nothing"}`;
      mutants.push({ file, line, start, end, replacement, change });
    }
  });
  return mutants;
}

type Fault = Pick<Mutant, "start" | "end" | "replacement">;

function faultsIn(node: Node, parent: Node | undefined, source: string): Fault[] {
  const textOf = ({ start, end }: Node): string => source.slice(start, end);
  const instead = (replacement: string, where: Node = node): Fault[] => [
    { start: where.start, end: where.end, replacement },
  ];
  if (node.type === "BinaryExpression" || node.type === "LogicalExpression") {
    const other = OTHER_OPERATOR[node.operator];
    // In parentheses, because `??` may not be mixed with the other operators without them.
    return other === undefined ? [] : instead(`(${textOf(node.left)} ${other} ${textOf(node.right)})`);
  }
  if (node.type === "UnaryExpression") return node.operator === "!" ? instead(textOf(node.argument)) : [];
  if (isBranch(node)) return instead(`!(${textOf(node.test)})`, node.test);
  if (DROPPED.includes(node.type)) return instead(";");
  if (node.type === "ReturnStatement") {
    if (node.argument === null) return instead(";");
    return isFalse(node.argument) ? [] : instead("return undefined;");
  }
  if (node.type === "ArrowFunctionExpression")
    return node.body.type === "BlockStatement" || isFalse(node.body) ? [] : instead("undefined", node.body);
  if (node.type === "TemplateLiteral")
    return parent?.type === "TaggedTemplateExpression" ? [] : instead('""');
  if (node.type !== "Literal" || isName(node, parent)) return [];
  const other = otherLiteral(node.value);
  return other === undefined ? [] : instead(other);
}

const DROPPED = ["ExpressionStatement", "ThrowStatement", "ContinueStatement", "BreakStatement"];

function isBranch(node: Node): node is IfStatement | ConditionalExpression | WhileStatement {
  return ["IfStatement", "ConditionalExpression", "WhileStatement"].includes(node.type);
}

/** Removing it would have the same effect as false. */
function isFalse(node: Node): boolean {
  return node.type === "Literal" && node.value === false;
}

/** A key or a module's name is not a value. */
function isName(node: Node, parent: Node | undefined): boolean {
  if (parent?.type === "Property") return parent.key === node;
  return parent?.type === "ImportDeclaration" || parent?.type === "ImportExpression";
}

function otherLiteral(value: unknown): string | undefined {
  if (typeof value === "boolean") return String(!value);
  if (typeof value === "number") return value === 1 ? "0" : String(value + 1);
  if (typeof value === "string") return value === "" ? '"mutated"' : '""';
  return undefined;
}

function visit(
  node: Node,
  parent: Node | undefined,
  look: (node: Node, parent: Node | undefined) => void,
): void {
  if (isTypeOnly(node)) return;
  look(node, parent);
  for (const key of visitorKeys[node.type] ?? []) {
    const child: unknown = Reflect.get(node, key);
    for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) visit(each, node, look);
  }
}

const TYPED_VALUES = ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"];

/** The build drops types, so nothing in them can be a fault. */
function isTypeOnly({ type }: Node): boolean {
  return type.startsWith("TS") && !TYPED_VALUES.includes(type);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
