import type { OpenApi } from './documents.ts'
import { byResource, methodsOf } from './keyed.ts'

/** A guide of the service. */
export interface GuideTitle {
  readonly name: string
  readonly title: string
}

/** `llms.txt` (https://llmstxt.org): where programs that read find what, by addresses below that of the service. */
export function llmsText(openapi: OpenApi, guides: readonly GuideTitle[]): string {
  const resources = [...byResource(methodsOf(openapi))].map(
    ([resource, methods]) =>
      `### ${resource}\n\n${methods.map(({ verb, path, operation }) => `- \`${verb.toUpperCase()} ${path}\`: ${operation.summary}`).join('\n')}`,
  )
  return `# ${openapi.info.title}

> Multi-tenant gateway for voice calls and messages on chat-app numbers: REST with a key in \`x-api-key\`, signed
> webhooks, realtime audio of calls over one WebSocket, tools for programs at \`/mcp\`.

Errors are \`{error, code?, details?}\`; branch on \`code\`. A number key acts on its number, a tenant key manages numbers.

## Descriptions

- [OpenAPI 3.1](/openapi.json): every route, with examples
- [AsyncAPI 3.0](/asyncapi.json): events of webhooks, realtime audio, the stream of an inbox
- [Reference](/docs): the routes as a page

## Guides

${guides.map(({ name, title }) => `- [${title}](/docs/guides/${name})`).join('\n')}

## Routes

${resources.join('\n\n')}
`
}

/** Form of the description that registries of tools take. */
const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** `server.json`: the tools of an installation, for registries. Whoever publishes it has a name of their own for it. */
export function serverText({ info }: OpenApi): string {
  const server = {
    $schema: SCHEMA,
    name: 'com.example/channel-messaging-service',
    title: info.title,
    description: 'Voice calls and messages on chat-app numbers: send, call, read, manage.',
    version: info.version,
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://{host}/mcp',
        variables: { host: { description: 'Where the service is installed', isRequired: true } },
        headers: [
          {
            name: 'x-api-key',
            description: 'Key of a number or of a tenant; none where an OAuth token is sent',
            isRequired: false,
            isSecret: true,
          },
        ],
      },
    ],
  }
  return `${JSON.stringify(server, null, 2)}\n`
}
