import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow'
import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  INodeProperties,
  INodeType,
  INodeTypeDescription,
} from 'n8n-workflow'
import { ask, askedOf } from '../shared/request'
import type { ChannelField, ChannelRequest } from '../shared/request'
import { properties, requests } from './operations.gen'

/** The file of a send where it is one of the item: the document knows files by their address alone. */
const FILE: INodeProperties = {
  displayName: 'Input Data Field Name',
  name: 'binaryPropertyName',
  type: 'string',
  default: '',
  placeholder: 'data',
  description: 'Field of the item with the file to send, in place of Media',
  displayOptions: { show: { resource: ['message'], operation: ['sendMedia'] } },
}

/** Sends messages, places and ends calls, and reads what became of either. */
export class Channel implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Channel',
    name: 'channel',
    icon: { light: 'file:../../icons/channel.svg', dark: 'file:../../icons/channel.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Send messages and place calls through the channel messaging service',
    defaults: { name: 'Channel' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'channelApi', required: true }],
    properties: [...properties, FILE],
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const answers: INodeExecutionData[] = []
    for (const [item] of this.getInputData().entries()) {
      try {
        for (const json of await answersTo(this, item)) answers.push({ json, pairedItem: { item } })
      } catch (error) {
        if (!this.continueOnFail()) throw failureOf(this, error as Error, item)
        answers.push({ json: refused(error as Error), pairedItem: { item } })
      }
    }
    return [answers]
  }
}

/** Asks what the node is to ask for an item. Returns the items of the answer. */
async function answersTo(context: IExecuteFunctions, item: number): Promise<IDataObject[]> {
  const key = `${String(context.getNodeParameter('resource', item))}.${String(context.getNodeParameter('operation', item))}`
  const request = requests[key]
  if (!request) throw new NodeOperationError(context.getNode(), `There is no operation ${key}`, { itemIndex: item })
  const values = { ...valuesOf(context, request, item), ...(await fileOf(context, key, item)) }
  const answer = await ask(context, askedOf(request, values))
  return request.items === null ? [answer] : (answer[request.items] as IDataObject[])
}

/** The values of a request by the names of its fields. What is empty is left out. */
function valuesOf(context: IExecuteFunctions, { fields }: ChannelRequest, item: number): IDataObject {
  const added = context.getNodeParameter('additionalFields', item, {}) as IDataObject
  const values = fields.map((field): [string, unknown] => {
    const value = field.isAdded ? added[field.parameter] : context.getNodeParameter(field.parameter, item, '')
    return [field.name, field.isJson ? parsed(context, field, value, item) : value]
  })
  const given = values.filter(([, value]) => value !== undefined && value !== null && value !== '')
  return Object.fromEntries(given) as IDataObject
}

/** The value of a parameter of JSON, which is a text, or what an expression made. */
function parsed(context: IExecuteFunctions, { parameter }: ChannelField, value: unknown, item: number): unknown {
  if (typeof value !== 'string' || value === '') return value
  try {
    return JSON.parse(value)
  } catch {
    throw new NodeOperationError(context.getNode(), `${parameter} is no JSON`, { itemIndex: item })
  }
}

/** The file of the item as fields of a send; none where the node names none. */
async function fileOf(context: IExecuteFunctions, key: string, item: number): Promise<IDataObject> {
  if (key !== 'message.sendMedia') return {}
  const name = context.getNodeParameter('binaryPropertyName', item, '') as string
  if (name === '') return {}
  const { mimeType } = context.helpers.assertBinaryData(item, name)
  const bytes = await context.helpers.getBinaryDataBuffer(item, name)
  return { media: `data:${mimeType};base64,${bytes.toString('base64')}` }
}

/** The error with the item that it is of. */
function failureOf(context: IExecuteFunctions, error: Error, item: number): Error {
  if (!(error instanceof NodeApiError || error instanceof NodeOperationError))
    return new NodeOperationError(context.getNode(), error, { itemIndex: item })
  error.context['itemIndex'] = item
  return error
}

/** What a workflow that goes on is told of a refusal. */
function refused(error: Error & { description?: string | null; httpCode?: string | null }): IDataObject {
  return { error: error.description ?? error.message, status: error.httpCode ?? null }
}
