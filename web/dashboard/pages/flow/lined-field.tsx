import type { Ref } from 'preact'
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { linesOf, rangeOfLine } from './lines.ts'
import type { LineFault } from './lines.ts'
import './lined-field.css'

/** Our choice: lines of the field. */
const ROWS = 20

/** What a list of faults does with the field. */
export interface Jumps {
  /** Selects a line, from 1, brings it into sight and takes the focus there. */
  to(line: number): void
}

interface LinedFieldProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly faults: readonly LineFault[]
  /** The id of the list that says the faults in words. */
  readonly described: string
  readonly jumps: Ref<Jumps>
  change(text: string): void
}

/** Which lines are in sight: the first one, from 0, and by how many pixels the text was scrolled. */
interface Sight {
  readonly top: number
  readonly height: number
}

/** A field for a text of many lines, with their numbers and with marks beside those that are wrong. */
export function LinedField({ label, name, value, faults, described, jumps, change }: LinedFieldProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, type] = useState(value)
  const [{ top, height }, see] = useState<Sight>({ top: 0, height: 0 })
  const lines = useMemo(() => linesOf(text), [text])
  const look = (): void => {
    if (field.current !== null) see({ top: field.current.scrollTop, height: heightOfLine(field.current) })
  }
  useLayoutEffect(look, [])
  useLayoutEffect(() => {
    const to = (line: number): void => (field.current === null ? undefined : jump(field.current, line))
    if (jumps !== null && typeof jumps === 'object') jumps.current = { to }
  }, [])
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="lined">
        <Numbers top={top} height={height} lines={lines} faults={faults} />
        <textarea
          ref={field}
          id={id}
          name={name}
          rows={ROWS}
          dir="ltr"
          wrap="off"
          spellcheck={false}
          autocomplete="off"
          defaultValue={value}
          {...(faults.length === 0 ? {} : { 'aria-describedby': described, 'aria-invalid': true })}
          onScroll={look}
          onInput={({ currentTarget }) => {
            type(currentTarget.value)
            change(currentTarget.value)
          }}
        />
      </div>
    </div>
  )
}

interface NumbersProps extends Sight {
  readonly lines: number
  readonly faults: readonly LineFault[]
}

/** The numbers of the lines in sight alone: a document may have a hundred thousand. */
function Numbers({ top, height, lines, faults }: NumbersProps) {
  const first = height === 0 ? 0 : Math.floor(top / height)
  const shown = Array.from({ length: Math.max(0, Math.min(ROWS + 2, lines - first)) }, (_, at) => first + at + 1)
  const wrong = new Map(faults.map(({ line, message }) => [line, message]))
  return (
    <div class="line-numbers" aria-hidden="true">
      <ol style={{ transform: `translateY(${first * height - top}px)` }}>
        {shown.map((line) =>
          wrong.has(line) ? (
            <li key={line} class="wrong" data-mark={line} title={wrong.get(line)}>
              {line}
            </li>
          ) : (
            <li key={line}>{line}</li>
          ),
        )}
      </ol>
    </div>
  )
}

function heightOfLine(field: HTMLTextAreaElement): number {
  return Number.parseFloat(getComputedStyle(field).lineHeight)
}

function jump(field: HTMLTextAreaElement, line: number): void {
  const [from, to] = rangeOfLine(field.value, line)
  field.focus()
  field.setSelectionRange(from, to)
  // Our choice: the line stands a third of the field below its upper end.
  field.scrollTop = Math.max(0, (line - 1) * heightOfLine(field) - field.clientHeight / 3)
}
