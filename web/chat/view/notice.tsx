interface NoticeProps {
  readonly heading: string
  readonly text?: string
  readonly action?: string
  readonly onAction?: () => void
}

/** A notice in place of content, with an action when there is one. */
export function Notice({ heading, text, action, onAction }: NoticeProps) {
  return (
    <div class="notice">
      <p class="notice-heading">{heading}</p>
      {text !== undefined && <p>{text}</p>}
      {action !== undefined && (
        <button type="button" class="primary" data-action="retry" onClick={onAction}>
          {action}
        </button>
      )}
    </div>
  )
}
