import { useEffect } from 'preact/hooks'
import type { OpenThread } from '../../state/open-thread.ts'
import { useMoreWords } from '../more-words.ts'

/** Our choice, in ms: for how long it is shown that the person writes, unless it is told again. */
const SHOWN_MS = 10_000

/** Says what the person is doing, until it is over. */
export default function TypingWords({ open }: { readonly open: OpenThread }) {
  const said = useMoreWords()
  const told = open.typing.value
  useEffect(() => {
    const timer = setTimeout(() => {
      open.typing.value = null
    }, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [open, told])
  return told && told.state !== 'paused' && said && <span data-typing={told.state}>{said.does[told.state]}</span>
}
