import { inboxChannel } from './inbox-stream.ts'
import { realtimeChannel } from './realtime.ts'
import { SchemaWriter } from './schemas.ts'
import { webhookChannel } from './webhooks.ts'
import type { ChannelFacts, MessageFacts } from './channel.ts'

const ABOUT =
  'What the service tells by itself: events to webhooks, the audio of calls over one socket, and the stream of an inbox. '
  + 'The REST interface is described by [openapi.json](openapi.json).'

/** The AsyncAPI document as an object. */
export type AsyncApiDocument = ReturnType<typeof describeEvents>

/** Describes events of webhooks, realtime sockets and streams as AsyncAPI 3.0, from the schemas of the code. */
export function describeEvents(baseUrl: string) {
  const writer = new SchemaWriter()
  const channels: Readonly<Record<string, ChannelFacts>> = {
    webhooks: webhookChannel(writer),
    realtime: realtimeChannel(writer),
    inbox: inboxChannel(writer),
  }
  const entries = Object.entries(channels)
  return {
    asyncapi: '3.0.0',
    info: { title: 'Channel Messaging Service', version: '1.0.0', description: ABOUT },
    defaultContentType: 'application/json',
    servers: serversOf(baseUrl),
    channels: Object.fromEntries(
      entries.map(([name, { operations: _operations, ...channel }]) => [name, channelOf(channel)]),
    ),
    operations: Object.fromEntries(entries.flatMap(([name, channel]) => operationsOf(name, channel))),
    components: {
      messages: Object.fromEntries(
        entries.flatMap(([, { messages }]) =>
          Object.entries(messages).map(([message, facts]) => [message, messageOf(message, facts)]),
        ),
      ),
      schemas: writer.parts,
      securitySchemes: SECURITY,
    },
  }
}

const SECURITY = {
  realtimeToken: {
    type: 'httpApiKey',
    in: 'query',
    name: 'token',
    description: 'Single use, 120 s: `token` of `POST /v1/calls/{callId}/realtime-session`.',
  },
  embedToken: { type: 'http', scheme: 'bearer', description: 'Token of an embed session.' },
}

/** A host that clients are told, or name themselves. */
function host(description: string) {
  return { description, default: 'example.com' }
}

function serversOf(baseUrl: string) {
  const { host: gateway, protocol, pathname } = new URL(baseUrl)
  return {
    gateway: {
      host: gateway,
      protocol: protocol.replace(':', ''),
      ...(pathname === '/' ? {} : { pathname }),
      description: 'The gateway, which serves REST and streams',
      security: [{ $ref: '#/components/securitySchemes/embedToken' }],
    },
    media: {
      host: '{mediaHost}',
      protocol: 'wss',
      description: 'A media host: the one that `wsUrl` of a realtime session names',
      variables: { mediaHost: host('As `wsUrl` has it') },
      security: [{ $ref: '#/components/securitySchemes/realtimeToken' }],
    },
    receiver: {
      host: '{receiver}',
      protocol: 'https',
      description: 'A server of yours: where the `url` of a webhook leads',
      variables: { receiver: host('As `url` of the webhook has it') },
    },
  }
}

function channelOf({ server, messages, ...facts }: Omit<ChannelFacts, 'operations'>) {
  return {
    ...facts,
    servers: [{ $ref: `#/servers/${server}` }],
    messages: Object.fromEntries(
      Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
    ),
  }
}

function messageOf(name: string, facts: MessageFacts) {
  return { name, title: name, ...facts }
}

function operationsOf(channel: string, { operations }: ChannelFacts) {
  return Object.entries(operations).map(([name, { messages, ...facts }]) => [
    name,
    {
      ...facts,
      channel: { $ref: `#/channels/${channel}` },
      messages: messages.map((message) => ({ $ref: `#/channels/${channel}/messages/${message}` })),
    },
  ])
}
