/**
 * Announces changes to screen readers, after they finished what they were saying. It is on the page from the start,
 * because readers ignore live regions that are added later.
 */
export function Announcer({ text }: { readonly text: string }) {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {text}
    </p>
  )
}
