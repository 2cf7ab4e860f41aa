import type { AsyncApi, OpenApi, Schema } from './documents.ts'
import { byResource, isFile, isIdempotent, methodsOf, pascal, pathParameters, queryParameters } from './keyed.ts'
import type { Method } from './keyed.ts'

/** Begins the names of the schemas that both documents call the same. */
const OF_REALTIME = { server: 'RealtimeServerMessage', client: 'RealtimeClientMessage' } as const

/**
 * The document that types are made of: the operations of clients without headers and refusals, which the client has
 * words of its own for, and the messages of realtime sessions.
 */
export function typedDocument(openapi: OpenApi, asyncapi: AsyncApi): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { path, verb, operation } of methodsOf(openapi))
    paths[path] = {
      ...paths[path],
      [verb]: {
        ...operation,
        parameters: (operation.parameters ?? []).filter((one) => one.in !== 'header'),
        responses: Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))),
      },
    }
  const realtime = Object.entries(OF_REALTIME).map(([side, name]) => [name, { oneOf: textsOf(asyncapi, side) }])
  return {
    ...openapi,
    paths,
    components: { schemas: { ...openapi.components.schemas, ...Object.fromEntries(realtime) } },
  }
}

/** The text messages of a side of the realtime protocol. */
function textsOf({ components: { messages } }: AsyncApi, side: string): Schema[] {
  return Object.entries(messages)
    .filter(([name]) => name.startsWith(`${side}.`) && name !== `${side}.audio`)
    .map(([, { payload }]) => payload)
}

/** The members of the client, each a class of methods, as TypeScript. */
export function resourcesText(openapi: OpenApi, head: string): string {
  const resources = byResource(methodsOf(openapi))
  const names = [...resources].flatMap(([, methods]) => methods.flatMap(typesOf))
  const members = [...resources.keys()]
  return `${head}
import type { RequestOptions, Send } from './request.ts'
import type {
${[...new Set(names)]
  .toSorted()
  .map((name) => `  ${name},`)
  .join('\n')}
} from './types.gen.ts'

${[...resources].map(([resource, methods]) => classText(resource, methods)).join('\n\n')}

/** What a client is: every resource as a member. */
export class Resources {
${members.map((name) => `  readonly ${name}: ${pascal(name)}`).join('\n')}

  constructor(send: Send) {
${members.map((name) => `    this.${name} = new ${pascal(name)}(send)`).join('\n')}
  }
}
`
}

function classText(resource: string, methods: readonly Method[]): string {
  return `export class ${pascal(resource)} {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

${methods.map(methodText).join('\n\n')}
}`
}

/** The types that a method names. */
function typesOf(method: Method): string[] {
  const { operationId, requestBody } = method.operation
  const hasData = requestBody !== undefined || queryParameters(method).length > 0
  return [
    ...(hasData ? [`${pascal(operationId)}Data`] : []),
    ...(isFile(method) ? [] : [`${pascal(operationId)}Response`]),
  ]
}

function methodText(method: Method): string {
  const { name, verb, path, operation } = method
  const { operationId, requestBody, summary } = operation
  const query = queryParameters(method)
  const data = `${pascal(operationId)}Data`
  const parameters = [
    ...pathParameters(method).map((one) => `${one}: string`),
    ...(requestBody ? [`body${requestBody.required ? '' : '?'}: ${data}['body']`] : []),
    ...(query.length > 0 ? [`query${query.some((one) => one.required) ? '' : '?'}: ${data}['query']`] : []),
    'options?: RequestOptions',
  ]
  const asked = [
    `verb: '${verb.toUpperCase()}'`,
    `path: ${pathText(path)}`,
    ...(requestBody ? ['body'] : []),
    ...(query.length > 0 ? ['query'] : []),
    ...(isIdempotent(method) ? ['isIdempotent: true'] : []),
    ...(isFile(method) ? ['isFile: true'] : []),
  ]
  const answer = isFile(method) ? 'Response' : `${pascal(operationId)}Response`
  return `  /** ${summary}. \`${verb.toUpperCase()} ${path}\` */
  ${name}(${parameters.join(', ')}): Promise<${answer}> {
    return this.#send({ ${asked.join(', ')} }, options)
  }`
}

function pathText(path: string): string {
  if (!path.includes('{')) return `'${path}'`
  return `\`${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${name})}`)}\``
}
