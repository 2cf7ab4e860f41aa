import { NodeApiError } from 'n8n-workflow'
import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  IHttpRequestOptions,
  JsonObject,
} from 'n8n-workflow'

/** A field of a request: where it goes, and which parameter of the node it comes from. */
export interface ChannelField {
  readonly name: string
  readonly parameter: string
  readonly in: string
  /** The parameter is JSON as text. */
  readonly isJson: boolean
  /** The parameter is one of the additional fields. */
  readonly isAdded: boolean
}

export interface ChannelRequest {
  readonly method: string
  /** With `{name}` where a field stands. */
  readonly path: string
  /** The field of the answer whose elements are items; null where the answer is one item. */
  readonly items: string | null
  readonly fields: readonly ChannelField[]
}

/** What a request says, without where the service is. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query?: IDataObject
  readonly body?: IDataObject
  readonly headers?: IDataObject
}

/** Puts the values of a request, by the names of its fields, where they belong. */
export function askedOf({ method, path, fields }: ChannelRequest, values: IDataObject): Asked {
  const of = (place: string): IDataObject =>
    Object.fromEntries(
      fields
        .filter((field) => field.in === place && values[field.name] !== undefined)
        .map(({ name }) => [name, values[name]]),
    )
  const body = of('body')
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? ''))),
    query: of('query'),
    headers: of('header'),
    ...(Object.keys(body).length === 0 ? {} : { body }),
  }
}

/** Sends a request with the credentials of the node. Rejects with a NodeApiError that says what the service says. */
export async function ask(context: IExecuteFunctions | IHookFunctions, asked: Asked): Promise<IDataObject> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('channelApi')
  const options: IHttpRequestOptions = {
    method: asked.method as IHttpRequestMethods,
    url: `${baseUrl.replace(/\/+$/, '')}${asked.path}`,
    json: true,
    ...(asked.query ? { qs: asked.query } : {}),
    ...(asked.headers ? { headers: asked.headers } : {}),
    ...(asked.body ? { body: asked.body } : {}),
  }
  try {
    return await context.helpers.httpRequestWithAuthentication.call(context, 'channelApi', options)
  } catch (error) {
    throw refusalOf(new NodeApiError(context.getNode(), error as JsonObject))
  }
}

/** The error with the words of the service and its code, in place of those that n8n has for the status. */
function refusalOf(error: NodeApiError): NodeApiError {
  const { error: said, code } = (error.context['data'] ?? {}) as { error?: unknown; code?: unknown }
  if (typeof said === 'string') error.description = typeof code === 'string' ? `${said} (${code})` : said
  return error
}
