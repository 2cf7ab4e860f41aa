import type { OpenApi, Operation } from './documents.ts'
import { methodsOf, type Method } from './keyed.ts'
import { displayName, fieldsOf, nodeName, propertyOf, type Field, type NodeProperty } from './n8n-fields.ts'
import { OPERATIONS, type NodeOperation } from './n8n-operations.ts'

const RESOURCES = { message: 'Message', call: 'Call' } as const
/** Headers that a node has a field for. */
const KEPT_HEADER = 'idempotency-key'

/** Requests and parameters of the node `Channel`, as TypeScript. */
export function operationsN8n(openapi: OpenApi, head: string): string {
  const methods = new Map(methodsOf(openapi).map((method) => [method.operation.operationId, method]))
  const made = OPERATIONS.map((one) => madeOf(openapi, one, methods.get(one.operationId)))
  const requests = Object.fromEntries(made.map(({ key, request }) => [key, request]))
  const properties = [resourceProperty(), ...operationProperties(methods), ...made.flatMap((one) => one.properties)]
  return `${head}
${typeImport('INodeProperties', 'n8n-workflow')}
${typeImport('ChannelRequest', '../shared/request')}

/** How each operation is asked for, by resource and operation. */
export const requests: Record<string, ChannelRequest> = ${JSON.stringify(requests, null, 2)}

export const properties: INodeProperties[] = ${JSON.stringify(properties, null, 2)}
`
}

function typeImport(name: string, from: string): string {
  return `import type { ${name} } from ${JSON.stringify(from)}`
}

interface Made {
  readonly key: string
  readonly request: object
  readonly properties: readonly NodeProperty[]
}

function madeOf(openapi: OpenApi, one: NodeOperation, method: Method | undefined): Made {
  if (!method) throw new Error(`no key opens ${one.operationId}`)
  const fields = fieldsOf(openapi, method.operation)
  const shown = one.shown.map((name) => fieldNamed(fields, name, one))
  const added = [
    ...one.added.map((name) => fieldNamed(fields, name, one)),
    ...fields.filter((field) => field.in === 'query' || field.name === KEPT_HEADER),
  ]
  return {
    key: `${one.resource}.${one.operation}`,
    request: {
      method: method.verb.toUpperCase(),
      path: method.path,
      items: one.items,
      fields: [...shown, ...added].map(({ name, in: place, schema }) => ({
        name,
        parameter: nodeName(name),
        in: place,
        isJson: propertyOf({ name, in: place, schema, description: undefined }, null)['type'] === 'json',
        isAdded: !one.shown.includes(name),
      })),
    },
    properties: propertiesOf(one, shown, added, method.operation),
  }
}

function fieldNamed(fields: readonly Field[], name: string, { operationId }: NodeOperation): Field {
  const field = fields.find((other) => other.name === name)
  if (!field) throw new Error(`${operationId} has no field ${name}`)
  return field
}

function propertiesOf(
  one: NodeOperation,
  shown: readonly Field[],
  added: readonly Field[],
  operation: Operation,
): NodeProperty[] {
  const displayOptions = { show: { resource: [one.resource], operation: [one.operation] } }
  const main = shown.map((field) => ({
    ...propertyOf(field, exampleOf(operation, field.name)),
    ...(one.required.includes(field.name) ? { required: true } : {}),
    displayOptions,
  }))
  if (added.length === 0) return main
  const options = added
    .map((field) => propertyOf(field, exampleOf(operation, field.name)))
    .toSorted((a, b) => String(a['displayName']).localeCompare(String(b['displayName'])))
  return [
    ...main,
    {
      displayName: 'Additional Fields',
      name: 'additionalFields',
      type: 'collection',
      placeholder: 'Add Field',
      default: {},
      displayOptions,
      options,
    },
  ]
}

/** The value that an example of the document has for a field of the body; undefined where none has it. */
function exampleOf({ requestBody }: Operation, name: string): unknown {
  const { examples = {} } = (requestBody?.content['application/json'] ?? {}) as {
    examples?: Readonly<Record<string, { readonly value?: Readonly<Record<string, unknown>> }>>
  }
  return Object.values(examples).find(({ value }) => value?.[name] !== undefined)?.value?.[name]
}

function resourceProperty(): NodeProperty {
  return {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    default: 'message',
    options: Object.entries(RESOURCES).map(([value, name]) => ({ name, value })),
  }
}

function operationProperties(methods: ReadonlyMap<string, Method>): NodeProperty[] {
  return Object.keys(RESOURCES).map((resource) => {
    const operations = OPERATIONS.filter((one) => one.resource === resource)
    return {
      displayName: 'Operation',
      name: 'operation',
      type: 'options',
      noDataExpression: true,
      displayOptions: { show: { resource: [resource] } },
      default: operations[0]?.operation,
      options: operations
        .map(({ name, operation, operationId }) => ({
          name,
          value: operation,
          description: methods.get(operationId)?.operation.summary,
          action: actionOf(name, operationId, methods),
        }))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
    }
  })
}

/** What the list of actions says: sends by their mode, all else as the document sums it up. */
function actionOf(name: string, operationId: string, methods: ReadonlyMap<string, Method>): string {
  if (operationId === 'sendMessage') return name.charAt(0) + name.slice(1).toLowerCase()
  return methods.get(operationId)?.operation.summary.replace(/,.*/, '') ?? name
}

/** Events that a trigger can be told, as TypeScript: those that a webhook takes, by name and meaning. */
export function eventsN8n(openapi: OpenApi, head: string): string {
  const schema = openapi.components.schemas['WebhookCreate'] as {
    properties: { events: { anyOf: readonly { items?: { enum: readonly string[] }; description?: string }[] } }
  }
  const { items, description } = schema.properties.events.anyOf[0] ?? {}
  const webhooks = openapi.webhooks as Readonly<Record<string, { readonly post: Operation }>>
  const options = (items?.enum ?? []).map((value) => {
    if (value === '*') return { name: '* (All but Opt-in Events)', value, description }
    const told = webhooks[value]?.post
    const isNative = told?.tags.includes('Native webhook events') === true
    return { name: `${displayName(value)}${isNative ? ' (Native)' : ''}`, value, description: told?.summary }
  })
  return `${head}
${typeImport('INodePropertyOptions', 'n8n-workflow')}

export const events: INodePropertyOptions[] = ${JSON.stringify(options, null, 2)}
`
}
