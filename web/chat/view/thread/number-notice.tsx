import EyeOff from 'lucide/dist/esm/icons/eye-off.mjs'
import TriangleAlert from 'lucide/dist/esm/icons/triangle-alert.mjs'
import { Icon } from '../../../ui/icon.tsx'
import type { OpenThread } from '../../state/open-thread.ts'
import { useDrawn } from '../context.ts'

/** Says that a number is not connected, while that is so. */
export function NumberNotice({ numberId }: { readonly numberId: string }) {
  const { inbox, words } = useDrawn()
  const number = inbox.session.value?.numbers.find(({ id }) => id === numberId)
  if (!number || number.state === 'OPEN') return null
  return (
    <p class="banner" role="status">
      <Icon of={TriangleAlert} size={16} />
      {words.states.disconnected(number.name)}
    </p>
  )
}

/** Says that a number keeps no content of messages; the newest message shows it by being redacted. */
export function RelayNotice({ open }: { readonly open: OpenThread }) {
  const { words } = useDrawn()
  if (open.thread.value?.messages.at(-1)?.redacted !== true) return null
  return (
    <p class="banner" role="status">
      <Icon of={EyeOff} size={16} />
      {words.states.relayOnly}
    </p>
  )
}
