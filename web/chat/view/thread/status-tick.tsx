import Ban from 'lucide/dist/esm/icons/ban.mjs'
import Check from 'lucide/dist/esm/icons/check.mjs'
import CheckCheck from 'lucide/dist/esm/icons/check-check.mjs'
import CircleAlert from 'lucide/dist/esm/icons/circle-alert.mjs'
import Clock from 'lucide/dist/esm/icons/clock.mjs'
import type { IconNode } from 'lucide'
import { Icon } from '../../../ui/icon.tsx'
import type { MessageStatus } from '../../model/message.ts'
import { useDrawn } from '../context.ts'

const TICKS: Readonly<Record<MessageStatus | 'sending', IconNode | null>> = {
  sending: Clock,
  QUEUED: Clock,
  SENT: Check,
  DELIVERED: CheckCheck,
  READ: CheckCheck,
  FAILED: CircleAlert,
  CANCELED: Ban,
  RECEIVED: null,
}

/** The status of a message, as a sign and in words. */
export function StatusTick({ status }: { readonly status: MessageStatus | 'sending' }) {
  const { words } = useDrawn()
  const tick = TICKS[status]
  if (tick === null) return null
  return (
    <span class={`tick tick-${status.toLowerCase()}`}>
      <Icon of={tick} size={16} />
      <span class="unseen">{words.status[status]}</span>
    </span>
  )
}
