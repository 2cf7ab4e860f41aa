import { useRef } from 'preact/hooks'
import type { Answer } from '../../ui/session/answers.ts'
import { newKey } from '../../ui/key.ts'

/**
 * Makes a function that posts with an idempotency key ([rest.idempotency.1]). When the answer was lost, the same text
 * posted again has the same key, so that what the service did is not done twice.
 */
export function useOnce(): <T>(text: string, post: (key: string) => Promise<Answer<T>>) => Promise<Answer<T>> {
  const lost = useRef<{ readonly text: string; readonly key: string } | null>(null)
  return async (text, post) => {
    const key = lost.current?.text === text ? lost.current.key : newKey()
    const answer = await post(key)
    lost.current = answer.fault?.kind === 'LOST' ? { text, key } : null
    return answer
  }
}
