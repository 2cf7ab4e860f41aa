import { parseSync, Visitor } from 'oxc-parser'
import type { Node, ObjectExpression, Program, TemplateLiteral } from 'oxc-parser'

/** A text of a refusal as the code has it: what is put into it stands in braces. */
export interface Text {
  readonly code: string
  readonly text: string
}

/** A function that makes refusals of a code, whose text it is given. */
interface Wrapper {
  readonly path: string
  readonly name: string
  /** Which of its arguments the text is, from 0. */
  readonly at: number
  readonly code: string
}

export interface ParsedFile {
  readonly path: string
  readonly text: string
  readonly program: Program
}

export function parse(path: string, text: string): ParsedFile {
  return { path, text, program: parseSync(path, text).program }
}

/** Reads one file: the texts that stand in it, and the functions that get theirs from callers. */
class Reading {
  readonly texts: Text[] = []
  readonly wrappers: Wrapper[] = []
  readonly #file: ParsedFile
  readonly #codes: ReadonlySet<string>
  readonly #constants = new Map<string, Node>()
  readonly #declared = new Map<string, Node>()
  /** The named functions around the node that is visited, outermost first. */
  readonly #functions: { readonly name: string; readonly params: readonly Node[] }[] = []

  constructor(file: ParsedFile, codes: ReadonlySet<string>) {
    this.#file = file
    this.#codes = codes
    new Visitor({
      VariableDeclarator: ({ id, init }) => {
        if (id.type === 'Identifier' && init) this.#constants.set(id.name, init)
      },
      FunctionDeclaration: (node) => {
        if (node.id) this.#declared.set(node.id.name, node)
      },
    }).visit(file.program)
  }

  read(): this {
    const enter = (name: string, params: readonly Node[]): void => void this.#functions.push({ name, params })
    const leave = (): void => void this.#functions.pop()
    new Visitor({
      FunctionDeclaration: ({ id, params }) => enter(id?.name ?? '', params),
      'FunctionDeclaration:exit': leave,
      CallExpression: ({ callee, arguments: [code, text] }) => {
        if (callee.type !== 'Identifier' || callee.name !== 'refuse' || !code) return
        if (code.type === 'SpreadElement') for (const row of this.#rows(code.argument)) this.#add(row[0], row[1])
        else if (text) this.#add(code, text)
      },
      ObjectExpression: (node) => this.#object(node),
    }).visit(this.#file.program)
    return this
  }

  /** The texts that a call gives to a wrapper. */
  given(wrapper: Wrapper): Text[] {
    const found: Text[] = []
    new Visitor({
      CallExpression: ({ callee, arguments: given }) => {
        const argument = given[wrapper.at]
        if (callee.type !== 'Identifier' || callee.name !== wrapper.name || !argument) return
        for (const text of this.#textsOf(argument)) found.push({ code: wrapper.code, text })
      },
    }).visit(this.#file.program)
    return found
  }

  /** A row of a table: `{code, message}`, a rule whose `find` has its messages, or texts under their codes. */
  #object(node: ObjectExpression): void {
    const code = literal(valueOf(node, 'code'))
    if (code !== null && this.#codes.has(code)) {
      const find = valueOf(node, 'find')
      const finders = find ? namesIn(find).flatMap((name) => this.#declared.get(name) ?? []) : []
      for (const message of [node, ...finders].flatMap(messagesIn)) this.#add(code, message)
    }
    for (const property of node.properties) {
      if (property.type !== 'Property' || property.value.type !== 'ObjectExpression') continue
      const name = property.key.type === 'Identifier' ? property.key.name : ''
      const text = valueOf(property.value, 'en')
      if (text && this.#codes.has(name)) this.#add(name, text)
    }
  }

  #add(code: Node | string, text: Node): void {
    const codes = typeof code === 'string' ? [code] : this.#textsOf(code)
    for (const known of codes.filter((one) => this.#codes.has(one))) {
      for (const found of this.#textsOf(text)) this.texts.push({ code: known, text: found })
      for (const [depth, { name, params }] of this.#functions.entries()) {
        const at = params.findIndex((param) => text.type === 'Identifier' && nameOf(param) === text.name)
        if (at >= 0 && depth === this.#functions.length - 1)
          this.wrappers.push({ path: this.#file.path, name, at, code: known })
      }
    }
  }

  /** Every text that an expression may be; none of what is only known when the program runs. */
  #textsOf(node: Node): string[] {
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' ? [node.value] : []
      case 'TemplateLiteral':
        return [this.#source(node)]
      case 'ConditionalExpression':
        return [node.consequent, node.alternate].flatMap((one) => this.#textsOf(one))
      case 'LogicalExpression':
        return [node.left, node.right].flatMap((one) => this.#textsOf(one))
      case 'Identifier':
        return this.#named(node.name)
      case 'MemberExpression':
        return node.object.type === 'Identifier' && node.computed ? this.#values(node.object.name) : []
      default:
        return []
    }
  }

  #named(name: string): string[] {
    const value = this.#constants.get(name)
    if (value) return value.type === 'Identifier' ? [] : this.#textsOf(value)
    const own = this.#functions.flatMap(({ params }) => params).find((param) => nameOf(param) === name)
    return own?.type === 'AssignmentPattern' ? this.#textsOf(own.right) : []
  }

  #values(name: string): string[] {
    const table = this.#constants.get(name)
    if (table?.type !== 'ObjectExpression') return []
    return table.properties.flatMap((property) => (property.type === 'Property' ? this.#textsOf(property.value) : []))
  }

  #rows(node: Node): [Node, Node][] {
    const table = node.type === 'MemberExpression' && node.object.type === 'Identifier' ? node.object.name : ''
    const object = this.#constants.get(table)
    if (object?.type !== 'ObjectExpression') return []
    return object.properties.flatMap((property): [Node, Node][] => {
      if (property.type !== 'Property' || property.value.type !== 'ArrayExpression') return []
      const [code, text] = property.value.elements
      return code && text ? [[code, text]] : []
    })
  }

  #source(node: TemplateLiteral): string {
    return this.#file.text
      .slice(node.start + 1, node.end - 1)
      .replaceAll('${', '{')
      .replaceAll('\\`', '`')
  }
}

/** Every text that a refusal of one of these codes may have, each once. */
export function textsOf(files: readonly ParsedFile[], codes: ReadonlySet<string>): Text[] {
  const readings = files.map((file) => new Reading(file, codes).read())
  const wrappers = readings.flatMap(({ wrappers: own }) => own)
  const given = wrappers.flatMap((wrapper) => {
    const isCaller = ({ path, text }: ParsedFile): boolean =>
      path === wrapper.path || new RegExp(`import [^;]*?\\b${wrapper.name}\\b[^;]*? from`).test(text)
    return files.flatMap((file, index) => (isCaller(file) ? (readings[index]?.given(wrapper) ?? []) : []))
  })
  const all = [...readings.flatMap(({ texts }) => texts), ...given]
  return [...new Map(all.map((one) => [`${one.code} ${one.text}`, one])).values()]
}

function literal(node: Node | null): string | null {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null
}

function nameOf(param: Node): string | null {
  const pattern = param.type === 'AssignmentPattern' ? param.left : param
  return pattern.type === 'Identifier' ? pattern.name : null
}

function valueOf(node: ObjectExpression, name: string): Node | null {
  const property = node.properties.find(
    (one) => one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === name,
  )
  return property?.type === 'Property' ? property.value : null
}

/** Calls `each` with every node inside one. */
function walk(part: unknown, each: (node: Node) => void): void {
  if (Array.isArray(part)) return part.forEach((one) => walk(one, each))
  if (typeof part !== 'object' || part === null) return
  if ('type' in part) each(part as Node)
  for (const inner of Object.values(part)) walk(inner, each)
}

function messagesIn(node: Node): Node[] {
  const found: Node[] = []
  walk(node, (one) => {
    if (one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === 'message') found.push(one.value)
  })
  return found
}

function namesIn(node: Node): string[] {
  const found: string[] = []
  walk(node, (one) => {
    if (one.type === 'Identifier') found.push(one.name)
  })
  return found
}
