import { useId, useMemo, useRef, useState } from 'preact/hooks'
import { FaultList } from './fault-list.tsx'
import { LinedField } from './lined-field.tsx'
import type { Jumps } from './lined-field.tsx'
import { lineOfNoDocument } from './lines.ts'
import type { LineFault } from './lines.ts'
import type { FlowWords } from './props.ts'
import './flow.css'

/** A document that is typed. */
export interface TypedDocument {
  readonly typed: string
  /** The line at which it is no document; null when it is one, and while it is empty. */
  readonly line: number | null
  type(text: string): void
}

/** A document that is typed, from `text` on. */
export function useTypedDocument(text: string): TypedDocument {
  const [typed, type] = useState(text)
  const line = useMemo(() => (typed === '' ? null : lineOfNoDocument(typed)), [typed])
  return { typed, line, type }
}

interface DocumentFieldProps {
  readonly words: FlowWords
  /** What it begins with. */
  readonly text: string
  readonly of: TypedDocument
  /** What the network finds wrong with the document that it holds. */
  readonly found: readonly LineFault[]
  /** Whether that is the text that is typed. Of another one, the lines may not be those any more. */
  readonly isFound: boolean
}

/** The field of a document, with everything that is wrong beside the lines, and in words that lead to the lines. */
export function DocumentField({ words, text, of: { line, type }, found, isFound }: DocumentFieldProps) {
  const jumps = useRef<Jumps>(null)
  const id = useId()
  const { document } = words
  const own = line === null ? [] : [{ line, message: document.noDocument, isWorded: true }]
  const jump = (at: number): void => jumps.current?.to(at)
  return (
    <>
      <div id={id} class="part">
        {found.length > 0 && <p>{isFound ? document.wrong : document.wasWrong}</p>}
        <FaultList words={words} faults={found} jump={jump} />
        <div role="status">
          <FaultList words={words} faults={own} jump={jump} />
        </div>
      </div>
      <LinedField
        label={document.field}
        name="flowJson"
        value={text}
        faults={isFound ? [...found, ...own] : own}
        described={id}
        jumps={jumps}
        change={type}
      />
    </>
  )
}
