/** Go programs keep any texts of the servers. `program.test.ts` has the other languages. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { capitalized } from "../../common/label";
import { isRecord } from "../../common/unknown";
import { hostileObjects } from "../../test/support/hostile-objects";
import { of as toProgram } from "../../test/support/import-objects";
import { needs } from "../../test/support/languages";
import { chosenSeed } from "../../test/support/seed";
import { goProgram } from "./go";
import { enumName } from "./names";

/** Prints the arguments of all ACL resources in programs, with Go's own parser. */
const evaluator = `package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func valueOf(expression ast.Expr) any {
	switch one := expression.(type) {
	case *ast.BasicLit:
		return must(strconv.Unquote(one.Value))
	case *ast.Ident:
		return one.Name == "true"
	case *ast.CallExpr:
		return valueOf(one.Args[0])
	case *ast.UnaryExpr:
		return valueOf(one.X)
	case *ast.SelectorExpr:
		if one.X.(*ast.Ident).Name == "agentpoolacl" {
			return one.Sel.Name
		}
		return one.X.(*ast.Ident).Name
	case *ast.CompositeLit:
		items, fields := []any{}, map[string]any{}
		for _, element := range one.Elts {
			field, isField := element.(*ast.KeyValueExpr)
			if !isField {
				items = append(items, valueOf(element))
			} else if name, isName := field.Key.(*ast.Ident); isName {
				fields[name.Name] = valueOf(field.Value)
			} else {
				fields[valueOf(field.Key).(string)] = valueOf(field.Value)
			}
		}
		if one.Type.(*ast.SelectorExpr).Sel.Name == "StringArray" {
			return items
		}
		return fields
	}
	panic("unknown expression")
}

func main() {
	texts, results := []string{}, [][]any{}
	must(0, json.NewDecoder(os.Stdin).Decode(&texts))
	for _, text := range texts {
		resources := []any{}
		ast.Inspect(must(parser.ParseFile(token.NewFileSet(), "main.go", text, 0)), func(node ast.Node) bool {
			if call, isCall := node.(*ast.CallExpr); isCall {
				function, isSelector := call.Fun.(*ast.SelectorExpr)
				if isSelector && strings.HasPrefix(function.Sel.Name, "NewAcl") {
					resources = append(resources, valueOf(call.Args[2]))
				}
			}
			return true
		})
		results = append(results, resources)
	}
	must(0, json.NewEncoder(os.Stdout).Encode(results))
}
`;

/** Inputs in Go's spelling of properties and enumeration words; the user's own keys stay. */
function spelled(type: string, inputs: object): object {
  const of = (name: string, value: unknown) => {
    if (name === "config" && isRecord(value)) return spelled(`${type}Config`, value);
    const isWord = ["type", "tokenLocality", "bindType"].includes(name);
    return isWord ? type + capitalized(name) + enumName(String(value)) : value;
  };
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [capitalized(name), of(name, value)]));
}

test("the Go program keeps any texts", () => {
  if (!needs("go")) return;
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-go-texts-"));
  try {
    writeFileSync(join(folder, "main.go"), evaluator);
    const all = fc.sample(hostileObjects, { numRuns: 400, seed: chosenSeed("TEXTS_SEED") });
    const input = JSON.stringify(all.map((objects) => goProgram(toProgram("go", objects))));
    const { stdout, stderr } = spawnSync("go", ["run", "main.go"], { cwd: folder, input, encoding: "utf8", maxBuffer: 2 ** 28 });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual(all.map((objects) => objects.map(({ kind, inputs }) => spelled(kind, inputs))));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
