import type { OpenApi, Operation, Parameter } from './documents.ts'

/** An operation that a client has a method for. */
export interface Method {
  /** Member of the client, such as `calls`. */
  readonly resource: string
  /** Such as `create`. */
  readonly name: string
  readonly verb: string
  readonly path: string
  readonly operation: Operation
}

/** Methods whose operation is named by another word than its verb alone. */
const NAMES: Readonly<Record<string, string>> = { placeCall: 'create', playOnCall: 'play', takeCallOver: 'takeOver' }

/** Every operation that a key opens: what a client of the service calls. Others serve pages, platforms, operators. */
export function methodsOf({ paths }: Pick<OpenApi, 'paths'>): Method[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { security }]) => path.startsWith('/v1/') && security?.length !== 0)
      .map(([verb, operation]) => {
        const resource = resourceOf(path)
        return { resource, name: methodName(operation.operationId, resource), verb, path, operation }
      }),
  )
}

/** The member of a path: its first part behind the version. */
function resourceOf(path: string): string {
  return camel(path.split('/')[2] ?? '')
}

/** The name of the operation without the noun of its resource: `getCallSettings` of `calls` is `getSettings`. */
export function methodName(operationId: string, resource: string): string {
  const known = NAMES[operationId]
  if (known !== undefined) return known
  const noun = pascal(resource)
    .replace(/ies$/, 'y')
    .replace(/(?<!u)s$/, '')
  return operationId.replace(new RegExp(`(?<=[a-z])(?:${noun}s?|${pascal(resource)})(?=[A-Z]|$)`), '')
}

export function camel(text: string): string {
  return text.replaceAll(/[-_.](\w)/g, (_, next: string) => next.toUpperCase())
}

export function pascal(text: string): string {
  const word = camel(text)
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The parameters of the path, in its order. */
export function pathParameters({ path }: Method): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
}

export function queryParameters({ operation }: Method): readonly Parameter[] {
  return (operation.parameters ?? []).filter((one) => one.in === 'query')
}

/** Whether it takes an `Idempotency-Key`, so that it may be sent again. */
export function isIdempotent({ operation }: Method): boolean {
  return (operation.parameters ?? []).some(({ name }) => name === 'idempotency-key')
}

/** Whether what it answers is a file. */
export function isFile({ operation }: Method): boolean {
  return !Object.keys(operation.responses['200']?.content ?? { 'application/json': 0 }).includes('application/json')
}

/** By resource, in the order of the document. */
export function byResource(methods: readonly Method[]): Map<string, Method[]> {
  const found = new Map<string, Method[]>()
  for (const method of methods) found.set(method.resource, [...(found.get(method.resource) ?? []), method])
  return found
}
