import { useEffect, useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import { FaultLine } from '../../ground/asked.tsx'
import type { Editor, EditorProps } from './editor.tsx'

/** The editor, which is loaded once somebody writes: the rules of templates are large ([dashboard.budgets.2]). */
export function LaterEditor(props: EditorProps) {
  const [Loaded, load] = useState<{ readonly Editor: typeof Editor } | null>(null)
  const [fault, fail] = useState<Fault | null>(null)
  useEffect(() => {
    import('./editor.tsx').then(
      (file) => load(file),
      () => fail({ kind: 'LOST' }),
    )
  }, [])
  if (fault !== null) return <FaultLine fault={fault} again={() => location.reload()} />
  return Loaded === null ? <div class="bone" aria-busy="true" /> : <Loaded.Editor {...props} />
}
