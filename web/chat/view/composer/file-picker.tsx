import type { IconNode } from 'lucide'
import { Icon } from '../../../ui/icon.tsx'
import type { Attach } from './use-attach.ts'

interface FilePickerProps {
  readonly attach: Attach
  readonly isFrozen: boolean
  readonly icon: IconNode
  readonly label: string
}

/** Opens the browser's file dialog. */
export function FilePicker({ attach, isFrozen, icon, label }: FilePickerProps) {
  return (
    <label class="plain" data-action="attach">
      <Icon of={icon} />
      <span class="unseen">{label}</span>
      <input
        class="unseen"
        type="file"
        multiple
        disabled={isFrozen}
        onChange={(event) => attach.picked(event.currentTarget)}
      />
    </label>
  )
}
