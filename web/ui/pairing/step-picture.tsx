import type { ComponentChildren } from 'preact'

/** Outline drawings of the phone's screen in each step: open a chat, find the linked devices, scan or type. */
const SCREENS: Readonly<Record<'qr' | 'code', readonly ComponentChildren[]>> = {
  qr: [
    chats(),
    devices(),
    <g key="scan">
      <path class="accent" d="M15 21v-3h3M33 21v-3h-3M15 30v3h3M33 30v3h-3" />
      <path class="accent" d="M19 25.5h10" />
    </g>,
  ],
  code: [
    chats(),
    devices(),
    <g key="type">
      <rect class="accent" x="15.5" y="20" width="4.5" height="7" rx="1" />
      <rect class="accent" x="21.75" y="20" width="4.5" height="7" rx="1" />
      <rect class="accent" x="28" y="20" width="4.5" height="7" rx="1" />
      <path d="M17 33h14" />
    </g>,
  ],
}

function chats(): ComponentChildren {
  return (
    <g key="chats">
      <path class="accent" d="M16 16h11a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2h-7l-4 3z" />
      <path d="M22 30h10" />
    </g>
  )
}

function devices(): ComponentChildren {
  return (
    <g key="devices">
      <path d="M16 15h16M16 20h10" />
      <rect class="accent" x="16" y="25" width="16" height="9" rx="1.5" />
      <path class="accent" d="M21 37h6" />
    </g>
  )
}

/** A small picture of the phone in a step. */
export function StepPicture({ step, method }: { readonly step: number; readonly method: 'qr' | 'code' }) {
  return (
    <svg
      class="step-picture"
      viewBox="0 0 48 48"
      width="48"
      height="48"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <rect x="11" y="4" width="26" height="40" rx="5" />
      <path d="M21.5 8h5" />
      {SCREENS[method][step]}
    </svg>
  )
}
