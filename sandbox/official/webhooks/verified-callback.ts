import { randomInt } from 'node:crypto'
import { GraphError, invalid } from '../http/graph-error.ts'
import { challenge } from './webhook-post.ts'

/** Longest callback, in characters. */
const MAX_CALLBACK_LENGTH = 200

/** The override asked for, once it passed the challenge; null when none was asked for. */
export async function verifiedCallback(body: Readonly<Record<string, unknown>>): Promise<string | null> {
  const { override_callback_uri: url, verify_token: token } = body
  return url === undefined || url === '' ? null : await verified(url, token, 'override_callback_uri')
}

/** The callback in the parameter `name`, once it passed the challenge. */
export async function verified(url: unknown, token: unknown, name: string): Promise<string> {
  if (typeof url !== 'string' || url.length > MAX_CALLBACK_LENGTH || !/^https?:\/\//.test(url))
    throw invalid(`${name}: has to be a URL of at most 200 characters`)
  if (typeof token !== 'string' || token === '') throw invalid(`verify_token: is required with ${name}`)
  const failure = await challenge(url, token, String(randomInt(1e9, 2e9)))
  if (failure !== null)
    throw new GraphError(2200, {
      message: `(#2200) Callback verification failed with the following errors: ${failure}`,
    })
  return url
}
