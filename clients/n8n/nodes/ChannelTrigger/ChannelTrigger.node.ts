import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow'
import type {
  IDataObject,
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow'
import { ask } from '../shared/request'
import { isSigned } from '../shared/signature'
import { events } from './events.gen'

/** What the node keeps of its webhook while the workflow is active. */
interface Kept extends IDataObject {
  webhookId?: string
  secret?: string
}

/** Begins a workflow with each event that the service tells a webhook of this node. */
export class ChannelTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Channel Trigger',
    name: 'channelTrigger',
    icon: { light: 'file:../../icons/channel.svg', dark: 'file:../../icons/channel.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when the channel messaging service tells of an event',
    defaults: { name: 'Channel Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'channelApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: [],
        options: events,
        description: 'What the number cannot tell of is dropped from the list',
      },
      {
        displayName: 'Number ID',
        name: 'channelNumberId',
        type: 'string',
        default: '',
        description: 'Needed with the key of a tenant: the number whose events these are',
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId } = this.getWorkflowStaticData('node') as Kept
        if (webhookId === undefined) return false
        const webhook = await unlessGone(ask(this, { method: 'GET', path: pathOf(webhookId) }))
        return webhook?.['active'] === true && webhook['url'] === this.getNodeWebhookUrl('default')
      },

      async create(this: IHookFunctions): Promise<boolean> {
        // One that leads elsewhere, or that the service switched off.
        await remove(this)
        const channelNumberId = this.getNodeParameter('channelNumberId') as string
        const body = {
          url: this.getNodeWebhookUrl('default'),
          name: 'n8n',
          events: this.getNodeParameter('events') as string[],
          ...(channelNumberId === '' ? {} : { channelNumberId }),
        }
        const { id, secret } = await ask(this, { method: 'POST', path: '/v1/webhooks', body })
        Object.assign(this.getWorkflowStaticData('node'), { webhookId: id, secret })
        return true
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        await remove(this)
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const request = this.getRequestObject()
    if (!request.rawBody) await request.readRawBody()
    const { secret } = this.getWorkflowStaticData('node') as Kept
    const delivery = { headers: this.getHeaderData(), body: request.rawBody }
    if (secret === undefined || !isSigned(delivery, secret, Date.now())) {
      this.getResponseObject().writeHead(401).end()
      return { noWebhookResponse: true }
    }
    return { workflowData: [[{ json: eventOf(this, request.rawBody) }]] }
  }
}

function pathOf(webhookId: string): string {
  return `/v1/webhooks/${encodeURIComponent(webhookId)}`
}

/** The event, read from the bytes that were verified. */
function eventOf(context: IWebhookFunctions, body: Buffer): IDataObject {
  try {
    return JSON.parse(body.toString('utf8')) as IDataObject
  } catch {
    throw new NodeOperationError(context.getNode(), 'The delivery is no JSON')
  }
}

/** Removes the webhook that the node has, and forgets it. */
async function remove(context: IHookFunctions): Promise<void> {
  const kept = context.getWorkflowStaticData('node') as Kept
  if (kept.webhookId === undefined) return
  await unlessGone(ask(context, { method: 'DELETE', path: pathOf(kept.webhookId) }))
  delete kept.webhookId
  delete kept.secret
}

/** The answer; null where the service knows no such webhook any more. */
async function unlessGone(answer: Promise<IDataObject>): Promise<IDataObject | null> {
  return await answer.catch((error: unknown) => {
    if (error instanceof NodeApiError && error.httpCode === '404') return null
    throw error
  })
}
