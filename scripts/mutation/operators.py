# SPDX-License-Identifier: Apache-2.0
"""Operators of C++ in our own sources, each with the expression that it makes and what another operator would make of it.

A text is enough for that, because scripts/format keeps it in one style: what stands between blanks is an operator of two operands (`a & b`,
`a < b`), what does not is part of a type, an address, a template's brackets (`Type& a`, `&a`, `f<int>(a)`).
"""
import bisect
import collections
import re

# Where it lies in the text, from start to end; what stands there; what is to stand there instead.
Mutant = collections.namedtuple("Mutant", "start end before after")

OTHERS = {
    "&&": ["||"], "||": ["&&"], "==": ["!="], "!=": ["=="], "<": ["<=", ">"], ">": [">=", "<"], "<=": ["<"], ">=": [">"],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"], "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="],
    "&": ["|"], "|": ["&"], "<<": [">>"], ">>": ["<<"],
}
BINDING = {operator: rank for rank, operators in enumerate(
    ["= += -= *= /= %= <<= >>= &= |= ^=", "? :", "||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<=>", "<< >>", "+ -", "* / %"])
    for operator in operators.split()}
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")": "(", "]": "[", "}": "{"}
# Behind these an expression begins.
STATEMENTS = {"return", "co_return", "throw", "else", "do", "case", "goto", "delete"}
# In a statement with one of these, nothing can be chosen while the program runs.
FIXED = {"constexpr", "consteval", "constinit", "static_assert", "case", "template", "using", "requires", "concept", "enum", "operator",
         "decltype", "noexcept", "asm", "alignas", "typedef"}

TOKEN = re.compile(r"""
    (?P<skip> //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:[^\n\\]|\\.)*$ | \s+ )
  | (?P<text> (?:u8|[uUL])?R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)" | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*" | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)+' )
  | (?P<word> [A-Za-z_]\w* )
  | (?P<number> \.?\d(?:[eEpP][+-]|'?[\w.])* )
  | (?P<sign> ->\*? | <=> | <<= | >>= | \.\.\. | :: | \+\+ | -- | && | \|\| | [-+*/%&|^=!<>]= | << | . )
""", re.VERBOSE | re.DOTALL | re.MULTILINE)


class Token:
    def __init__(self, kind, text, start, end, spaced):
        self.kind, self.text, self.start, self.end = kind, text, start, end
        self.spaced_before, self.spaced_behind, self.pair = spaced, False, None

    @property
    def two_operands(self):
        """Whether it is an operator between operands."""
        return self.kind == "sign" and self.text in BINDING and self.spaced_before and self.spaced_behind


class Source:
    """A file as tokens, with brackets paired, those of templates among them."""

    def __init__(self, text):
        self.text, self.tokens, spaced = text, [], True
        for match in TOKEN.finditer(text):
            if match.lastgroup == "skip" or match.group("skip"):
                spaced = True
                continue
            kind = next(name for name in ("text", "word", "number", "sign") if match.group(name))
            if self.tokens:
                self.tokens[-1].spaced_behind = spaced
            self.add(Token(kind, match.group(), match.start(), match.end(), spaced))
            spaced = False
        self.pair_brackets()

    def add(self, token):
        last = self.tokens[-1] if self.tokens else None
        # A shift to the right stands between blanks, as templates that end together do not.
        if token.text == ">" and last and last.text == ">" and last.spaced_before and not token.spaced_before:
            last.text, last.end = ">>", token.end
        else:
            self.tokens.append(token)

    def pair_brackets(self):
        open_brackets = []
        for place, token in enumerate(self.tokens):
            before = self.tokens[place - 1] if place else None
            if token.kind != "sign":
                continue
            if token.text in OPENING:
                open_brackets.append(place)
            elif token.text == "<" and before and ((not token.spaced_before and before.kind == "word") or before.text == "template"):
                open_brackets.append(place)
            elif token.text == ">" and not token.two_operands and open_brackets and self.tokens[open_brackets[-1]].text == "<":
                self.pair(open_brackets.pop(), place)
            elif token.text in CLOSING:
                while open_brackets and self.tokens[open_brackets[-1]].text == "<":  # what looked like a template's and was none
                    open_brackets.pop()
                if open_brackets and self.tokens[open_brackets[-1]].text == CLOSING[token.text]:
                    self.pair(open_brackets.pop(), place)

    def pair(self, first, last):
        self.tokens[first].pair, self.tokens[last].pair = last, first

    def enclosing(self, place):
        """The brackets around a token, from the inside: {place of the opening one}."""
        while place > 0:
            place -= 1
            token = self.tokens[place]
            if token.text in CLOSING or (token.text == ">" and token.pair is not None):
                if token.pair is None:
                    return
                place = token.pair
            elif token.text in OPENING or (token.text == "<" and token.pair is not None):
                yield place

    def head(self, place):
        """The words of a statement up to a token."""
        words = []
        while place > 0:
            place -= 1
            token = self.tokens[place]
            if token.text == "}" and token.pair is not None and not self.tokens[token.pair].spaced_before:  # a value in braces
                place = token.pair
                continue
            if token.text in (";", "{", "}"):
                break
            words.append(token.text)
        return words

    def statement(self, place):
        words = self.head(place)
        for token in self.tokens[place:]:
            if token.text == ";" or (token.text in ("{", "}") and token.spaced_before):
                break
            words.append(token.text)
        return words

    def fixed(self, place):
        """Whether the compiler needs the value."""
        if FIXED.intersection(self.statement(place)):
            return True
        for around in self.enclosing(place):
            token = self.tokens[around]
            if token.text == "<":
                return True
            head = self.head(around) if token.text == "{" else []
            # A table or an enumeration, not a function that could be one for the compiler.
            if {"constexpr", "constinit", "enum"}.intersection(head) and head[:1] != [")"] and head[:1] != ["const"]:
                return True
        return False

    def begin(self, place, rank):
        """The first token of the left operand of an operator that binds like that; None where it is not understood."""
        first = None
        place -= 1
        while place >= 0:
            token = self.tokens[place]
            if token.text in STATEMENTS or token.text in OPENING or token.text in (",", ";", ":"):
                break
            if token.two_operands:
                if BINDING[token.text] < rank:
                    break
            elif token.text in CLOSING or (token.text == ">" and token.pair is not None):
                if token.pair is None:
                    return None
                opening = self.tokens[token.pair]
                # A block behind which the statement begins.
                if token.text == "}" and opening.spaced_before:
                    break
                # The condition of a statement.
                if token.text == ")" and first is not None and token.spaced_behind and not self.tokens[place + 1].two_operands:
                    break
                place = token.pair
            first = place
            place -= 1
        return first

    def end(self, place, rank):
        """The last token of the right operand."""
        last = None
        place += 1
        while place < len(self.tokens):
            token = self.tokens[place]
            if token.text in CLOSING or token.text in (",", ";") or (token.text == "{" and token.spaced_before):
                break
            if token.text in ("?", ":") and rank > 0:
                break
            if token.two_operands and 0 < BINDING[token.text] <= rank:
                break
            if token.two_operands and BINDING[token.text] < rank:
                break
            if token.text in OPENING or (token.text == "<" and token.pair is not None):
                if token.pair is None:
                    return None
                place = token.pair
            last = place
            place += 1
        return last

    def end_of_primary(self, place):
        """The last token of what a prefix operator at this place applies to."""
        place += 1
        while self.tokens[place].text in ("!", "*", "&", "-", "~", "++", "--"):
            place += 1
        if self.tokens[place].text == "(":
            place = self.tokens[place].pair
        while place is not None and place + 1 < len(self.tokens):
            behind = self.tokens[place + 1]
            if behind.spaced_before and behind.text not in (".", "->"):
                return place
            if behind.text in (".", "->", "::"):
                place += 2
            elif behind.text in OPENING or (behind.text == "<" and behind.pair is not None):
                place = behind.pair
            else:
                return place
        return None

    def between(self, first, last):
        return self.text[self.tokens[first].start:self.tokens[last].end]

    def mutants(self):
        """Each change that one operator allows: {line from 1: [Mutant]}."""
        found = collections.defaultdict(list)
        lines = [0] + [match.end() for match in re.finditer("\n", self.text)]
        for place, token in enumerate(self.tokens):
            for mutant in self.mutants_of(place, token):
                found[bisect.bisect_right(lines, token.start)].append(mutant)
        return found

    def mutants_of(self, place, token):
        made = []
        if token.two_operands and token.text in OTHERS:
            rank = BINDING[token.text]
            first, last = self.begin(place, rank), self.end(place, rank)
            if first is not None and last is not None:
                left, right = self.text[self.tokens[first].start:token.start], self.text[token.end:self.tokens[last].end]
                made = [(first, last, left + other + right) for other in OTHERS[token.text]]
        elif token.text == "!" and token.kind == "sign" and not token.spaced_behind:
            last = self.end_of_primary(place)
            if last is not None:
                made = [(place, last, f"static_cast<bool>({self.between(place + 1, last)})")]
        elif token.text in ("true", "false"):
            made = [(place, place, "false" if token.text == "true" else "true")]
        elif token.text in ("min", "max") and place > 1 and self.tokens[place - 2].text == "std" and self.tokens[place - 1].text == "::":
            last = self.end_of_primary(place - 1)
            if last is not None and self.tokens[last].text == ")":
                other = {"min": "max", "max": "min"}[token.text]
                made = [(place - 2, last, "std::" + other + self.text[token.end:self.tokens[last].end])]
        if not made or self.fixed(place):
            return []
        return [Mutant(self.tokens[first].start, self.tokens[last].end, self.between(first, last), after) for first, last, after in made]


def switched(mutant, number):
    """The expression that is either, as the environment of the program says (mutant.h)."""
    return f"(::clcuda_mutant({number}) ? ({mutant.after}) : ({mutant.before}))"
