import { RequestFailure } from './failure.ts'

/** What the browser threw instead of an answer: the network was lost, or the request aborted. */
export function networkFailure(error: unknown): RequestFailure {
  return new RequestFailure('network', error instanceof Error ? error.name : 'failed')
}

/**
 * Reads what an answer holds. Throws RequestFailure: the network may be lost, and the request aborted, while the answer
 * still arrives.
 */
export async function bodyOf<T>(answer: Promise<Response>, read: (response: Response) => Promise<T>): Promise<T> {
  const response = await answer
  try {
    return await read(response)
  } catch (error) {
    throw networkFailure(error)
  }
}
