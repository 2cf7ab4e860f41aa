import type { FlowWords } from './props.ts'
import type { LineFault } from './lines.ts'

interface FaultListProps {
  readonly words: FlowWords
  readonly faults: readonly LineFault[]
  readonly id?: string
  /** Goes to a line of the document; absent where there is no field to go to. */
  jump?(line: number): void
}

/** What is wrong with a document, in words; each fault leads to its line. */
export function FaultList({ words: { document }, faults, id, jump }: FaultListProps) {
  return (
    <ul class="plain" {...(id === undefined ? {} : { id })}>
      {faults.map(({ line, message, isWorded }, at) => (
        <li key={at} {...hooksOf(line, isWorded)}>
          {line !== null && <Line text={document.line(line)} jump={jump && (() => jump(line))} />}{' '}
          <bdi {...(isWorded ? {} : { lang: 'en' })}>{message}</bdi>
        </li>
      ))}
    </ul>
  )
}

function hooksOf(line: number | null, isWorded: boolean) {
  if (line === null) return {}
  return isWorded ? { 'data-json-line': line } : { 'data-line': line }
}

function Line({ text, jump }: { readonly text: string; readonly jump: (() => void) | undefined }) {
  if (jump === undefined) return <strong>{text}</strong>
  return (
    <button type="button" class="as-link" data-action="jump" onClick={jump}>
      {text}
    </button>
  )
}
