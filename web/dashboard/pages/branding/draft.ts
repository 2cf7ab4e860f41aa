/** A brand as it stands in the editor's form. Pure. */
import { DEFAULT_BRANDING } from '../../../../src/domain/branding.ts'
import type { Branding } from '../../../../src/domain/branding.ts'

/** The fields that are typed; empty is null, which clears them. */
export const TEXTS = [
  'companyName',
  'subtitle',
  'primaryColor',
  'backgroundColor',
  'logoUrl',
  'supportUrl',
  'defaultRedirectUrl',
] as const

/** The brand that a form holds: the body of PUT ([branding.routes.2]), and what the preview draws. */
export function draftOf(form: FormData): Branding {
  const texts = TEXTS.map((name) => [name, textOf(form.get(name))] as const)
  return {
    ...DEFAULT_BRANDING,
    ...Object.fromEntries(texts),
    hidePilotStatusBranding: form.get('hidePilotStatusBranding') !== null,
  }
}

function textOf(value: FormDataEntryValue | null): string | null {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : text
}

/** Gives a field of a form a value as if it was typed. */
export function type(input: HTMLInputElement, value: string): void {
  input.value = value
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The field of that name in the form around an element. */
export function fieldAround(element: HTMLElement, name: string): HTMLInputElement | null {
  const field = element.closest('form')?.elements.namedItem(name)
  return field instanceof HTMLInputElement ? field : null
}
