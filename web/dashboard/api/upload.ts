import type { Answer } from '../../ui/session/answers.ts'
import { faultOf } from '../../ui/session/fault-of.ts'
import type { Refusal } from '../../ui/session/fault-of.ts'

interface Upload<T> {
  /** The answer; never rejects. A cancelled upload is LOST. */
  readonly answer: Promise<Answer<T>>
  cancel(): void
}

/**
 * Sends one file as the part `file`. `progress` is told the share that was sent, 0 to 1. It uses the older request of
 * browsers, because `fetch` tells nothing of what was sent.
 */
export function upload<T>(path: string, file: File, csrfToken: string, progress: (share: number) => void): Upload<T> {
  const request = new XMLHttpRequest()
  const body = new FormData()
  body.append('file', file)
  const answer = new Promise<Answer<T>>((resolve) => {
    const lost = (): void => resolve({ fault: { kind: 'LOST' } })
    request.upload.addEventListener('progress', ({ loaded, total }) => progress(total === 0 ? 0 : loaded / total))
    request.addEventListener('load', () => resolve(read<T>(request)))
    for (const end of ['error', 'abort', 'timeout']) request.addEventListener(end, lost)
  })
  request.open('POST', path)
  request.setRequestHeader('x-csrf-token', csrfToken)
  request.send(body)
  return { answer, cancel: () => request.abort() }
}

function read<T>(request: XMLHttpRequest): Answer<T> {
  const said = parsed(request.responseText)
  if (request.status < 300 && said !== null) return { body: said as T }
  const retryAfter = request.getResponseHeader('retry-after')
  const headers = new Headers(retryAfter === null ? {} : { 'retry-after': retryAfter })
  return { fault: faultOf({ status: request.status, headers }, (said ?? {}) as Refusal) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
