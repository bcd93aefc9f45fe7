#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate_grammar.py CORE EXTENDED ADDITIONS OUTPUT: tables from SPIR-V's machine-readable grammars.

CORE is the core grammar, EXTENDED that of OpenCL's extended instructions, ADDITIONS has in the same form what those lack.
Writes into the folder OUTPUT: enumerants.h (the enumerations of C++) and grammar_tables.inc (the rows that grammar.cpp holds)."""
import json
import os
import re
import sys


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def identifier(kind, name):
    """An enumerant as an identifier: 1D is Dim1D."""
    return kind + name if name[0].isdigit() else name


def with_aliases(entries, key):
    """Newer grammars have an entry's other names in a list, older ones an entry for each."""
    names = {entry[key] for entry in entries}
    return [named for entry in entries
            for named in [entry] + [{**entry, key: alias} for alias in entry.get("aliases", []) if alias not in names]]


class Grammar:
    def __init__(self, core, additions):
        self.instructions = with_aliases(core["instructions"], "opname")
        self.kinds = {kind["kind"]: kind for kind in core["operand_kinds"]}
        for kind in self.enumerations():
            kind["enumerants"] = with_aliases(kind["enumerants"], "enumerant")
        self.add(additions)
        self.instructions.sort(key=lambda instruction: instruction["opcode"])

    def add(self, addition):
        added = addition.get("instructions", [])
        names = {instruction["opname"] for instruction in added}
        self.instructions = [i for i in self.instructions if i["opname"] not in names] + added
        for kind in addition.get("operand_kinds", []):
            old = self.kinds.setdefault(kind["kind"], {**kind, "enumerants": []})
            names = {enumerant["enumerant"] for enumerant in old["enumerants"]}
            old["enumerants"] += [e for e in kind["enumerants"] if e["enumerant"] not in names]

    def enumerations(self):
        return [kind for kind in self.kinds.values() if "enumerants" in kind]


def write_enumerants(out, grammar, extended):
    out.write("// Generated from SPIR-V's grammars.\n#pragma once\n\n#include <cstdint>\n\n"
              "namespace clcuda::compiler::spirv {\n\n")
    out.write("enum class Op : std::uint16_t {\n")
    for instruction in grammar.instructions:
        out.write(f"  {instruction['opname'][2:]} = {instruction['opcode']},\n")
    out.write("};\n\n")
    for kind in grammar.enumerations():
        name = kind["kind"]
        mask = kind["category"] == "BitEnum"
        out.write(f"namespace {name}Mask {{\n" if mask else f"enum class {name} : std::uint32_t {{\n")
        for enumerant in kind["enumerants"]:
            spelled = identifier(name, enumerant["enumerant"])
            value = number(enumerant["value"])
            out.write(f"inline constexpr std::uint32_t {spelled} = {value:#x};\n" if mask else f"  {spelled} = {value},\n")
        out.write("}\n\n" if mask else "};\n\n")
    out.write("// Of the set OpenCL.std.\nenum class OpenClStd : std::uint32_t {\n")
    for instruction in extended["instructions"]:
        out.write(f"  {instruction['opname']} = {instruction['opcode']},\n")
    out.write("};\n\n}  // namespace clcuda::compiler::spirv\n")


def quantifier(operand):
    return {"": "once", "?": "optional", "*": "repeated"}[operand.get("quantifier", "")]


def write_tables(out, grammar, extended):
    out.write("// Generated from SPIR-V's grammars.\nenum class OperandKind : std::uint8_t {\n")
    for name in grammar.kinds:
        out.write(f"  {name},\n")
    out.write("};\n\nconstexpr Operand operands[] = {\n")
    rows, seen, offset = [], set(), 0
    for instruction in grammar.instructions:
        if instruction["opcode"] in seen:
            continue
        seen.add(instruction["opcode"])
        operands = instruction.get("operands", [])
        for operand in operands:
            out.write(f"    {{OperandKind::{operand['kind']}, Quantifier::{quantifier(operand)}}},\n")
        rows.append(f'    {{{instruction["opcode"]}, "{instruction["opname"]}", {offset}, {len(operands)}}},\n')
        offset += len(operands)
    out.write("};\n\nconstexpr Row rows[] = {\n" + "".join(rows) + "};\n\n")
    write_enumerant_rows(out, grammar)
    out.write("constexpr ExtendedRow extended_rows[] = {\n")
    for instruction in sorted(extended["instructions"], key=lambda i: i["opcode"]):
        out.write(f'    {{{instruction["opcode"]}, "{instruction["opname"]}"}},\n')
    out.write("};\n")


def write_enumerant_rows(out, grammar):
    parameters, rows = ["    OperandKind::IdRef,\n"], []
    for kind in grammar.enumerations():
        seen = set()
        for enumerant in sorted(kind["enumerants"], key=lambda e: number(e["value"])):
            value = number(enumerant["value"])
            if value in seen:
                continue
            seen.add(value)
            own = enumerant.get("parameters", [])
            rows.append(f'    {{OperandKind::{kind["kind"]}, {value:#x}, "{enumerant["enumerant"]}", '
                        f'{len(parameters)}, {len(own)}}},\n')
            parameters += [f"    OperandKind::{parameter['kind']},\n" for parameter in own]
    out.write("constexpr OperandKind parameters[] = {\n" + "".join(parameters) + "};\n\n")
    out.write("// By kind, and within it by value.\nconstexpr EnumerantRow enumerants[] = {\n" + "".join(rows) + "};\n\n")
    masks = [kind["kind"] for kind in grammar.enumerations() if kind["category"] == "BitEnum"]
    out.write("constexpr bool is_mask(OperandKind kind) {\n  switch (kind) {\n")
    for name in masks:
        out.write(f"    case OperandKind::{name}:\n")
    out.write("      return true;\n    default:\n      return false;\n  }\n}\n\n")
    values = [kind["kind"] for kind in grammar.enumerations() if kind["category"] == "ValueEnum"]
    out.write("constexpr bool is_enumeration(OperandKind kind) {\n  switch (kind) {\n")
    for name in values:
        out.write(f"    case OperandKind::{name}:\n")
    out.write("      return true;\n    default:\n      return false;\n  }\n}\n\n")


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main(core, extended_path, additions, output):
    grammar, extended = Grammar(read(core), read(additions)), read(extended_path)
    for kind in grammar.kinds:
        assert re.fullmatch(r"\w+", kind), kind
    with open(os.path.join(output, "enumerants.h"), "w", encoding="utf-8") as out:
        write_enumerants(out, grammar, extended)
    with open(os.path.join(output, "grammar_tables.inc"), "w", encoding="utf-8") as out:
        write_tables(out, grammar, extended)


if __name__ == "__main__":
    main(*sys.argv[1:])
