import type ts from 'typescript-5.9';

export type Compiler = typeof ts;

/** A member of a type, as a program would write both. */
export interface Name {
  readonly owner: string;
  readonly member: string;
}

/** Where members of the package are declared. */
const own = '/@screen-advertising/core/';

/**
 * Every member that a program can reach from what a module exports: over parameters, results, and
 * fields, as the compiler sees their types.
 */
export function namesOf(ts: Compiler, checker: ts.TypeChecker, module: ts.Symbol): Name[] {
  const concrete = ts.TypeFlags.Object | ts.TypeFlags.Intersection;
  const all: Name[] = [];
  const seen = new Set<ts.Type>();
  const exported = new Map(
    checker.getExportsOfModule(module).map((symbol) => {
      const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
      return [symbol.name, isAlias ? checker.getAliasedSymbol(symbol) : symbol];
    }),
  );

  /** The text of a type that is exported by name. */
  const named = (symbol: ts.Symbol | undefined): string | undefined =>
    symbol && exported.get(symbol.name) === symbol ? `core.${symbol.name}` : undefined;

  function visitUnion(types: readonly ts.Type[], text: string): void {
    const objects = types.filter(({ flags }) => flags & ts.TypeFlags.Object);
    for (const one of objects) {
      const name = named(one.aliasSymbol) ?? named(one.symbol);
      if (name || objects.length === 1) visit(one, name ?? `Extract<${text}, object>`);
    }
  }

  function visit(given: ts.Type, text: string): void {
    const constraint = given.isTypeParameter() ? checker.getBaseConstraintOfType(given) : given;
    const type = checker.getNonNullableType(constraint ?? given);
    if (type.isUnion()) visitUnion(type.types, text);
    if (!(type.flags & concrete) || seen.has(type)) return;
    seen.add(type);
    if (checker.isArrayType(type)) {
      const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
      if (item) visit(item, `${text}[number]`);
    }
    for (const member of checker.getPropertiesOfType(type)) visitMember(member, text);
    const [signature] = type.getCallSignatures();
    if (!signature) return;
    for (const [index, parameter] of signature.getParameters().entries()) {
      visit(checker.getTypeOfSymbol(parameter), `NonNullable<Parameters<${text}>[${index}]>`);
    }
    const result = signature.getReturnType();
    visit(result, `NonNullable<ReturnType<${text}>>`);
    visit(checker.getAwaitedType(result) ?? result, `NonNullable<Awaited<ReturnType<${text}>>>`);
  }

  function visitMember(member: ts.Symbol, owner: string): void {
    const isOwn = member.declarations?.some((one) => one.getSourceFile().fileName.includes(own));
    if (!isOwn || !/^[a-z][\w.]*$/i.test(member.name) || member.name === 'prototype') return;
    all.push({ owner, member: member.name });
    const text = `NonNullable<(${owner})['${member.name}']>`;
    visit(checker.getTypeOfSymbol(member), text);
  }

  for (const [name, symbol] of exported) {
    if (symbol.flags & ts.SymbolFlags.Value) {
      visit(checker.getTypeOfSymbol(symbol), `typeof core.${name}`);
    }
    if (symbol.flags & ts.SymbolFlags.Type) {
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      const parameters =
        type.aliasTypeArguments ?? checker.getTypeArguments(type as ts.TypeReference);
      const given = parameters.length > 0 ? `<${parameters.map(() => 'never').join(', ')}>` : '';
      visit(type, `core.${name}${given}`);
    }
  }
  return all;
}
