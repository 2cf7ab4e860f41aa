import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Las palabras de las respuestas guardadas en español. */
export const words: Like<typeof english> = {
  heading: 'Respuestas guardadas',
  above: 'La bandeja',
  add: 'Nueva respuesta guardada',
  change: 'Cambiar una respuesta guardada',
  none: 'Todavía no hay ninguna. Guarda un texto que escribes a menudo; en la bandeja, / y su atajo lo traen.',
  shortcut: 'Atajo',
  shortcutHint: 'Letras, dígitos, - y _. Se escribe después de una barra.',
  text: 'Texto',
  changed: 'Cambiada',
  edit: 'Cambiar',
  editOf: (shortcut) => `Cambiar /${shortcut}`,
  delete: 'Eliminar',
  deleteOf: (shortcut) => `Eliminar /${shortcut}`,
  ask: (shortcut) => `¿Eliminar /${shortcut}?`,
  warning: 'Nadie podrá responder más con ella. Lo enviado queda.',
  codes: {
    CANNED_REPLY_EXISTS: 'Otra respuesta guardada tiene este atajo.',
    CANNED_REPLY_LIMIT: 'La cuenta tiene todas las respuestas que puede tener. Elimina una antes.',
    CANNED_REPLY_NOT_FOUND: 'Otra persona la eliminó.',
  },
}
