import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Spanish words of the keys. */
export const words: Like<typeof english> = {
  heading: 'Claves',
  tenant: {
    heading: 'Clave de la cuenta',
    text: 'Gestiona números, webhooks, personas y marca, y actúa como propietario. No envía mensajes.',
    none: 'La cuenta aún no tiene ninguna.',
    created: 'Creada',
    rotate: 'Reemplazarla',
    ask: '¿Reemplazar la clave de la cuenta?',
    warning:
      'La clave anterior deja de servir al instante, la use lo que la use. Todas las demás sesiones de la cuenta abiertas por clave o enlace terminan.',
    shown: 'Nueva clave de la cuenta',
  },
  numbers: {
    heading: 'Claves de números',
    text: 'Cada número tiene una clave. Envía y lee solo por ese número.',
    none: 'Aún no hay números, y por eso ninguna clave de ellos.',
    name: 'Número',
    key: 'Clave',
    ends: (last4) => `termina en ${last4}`,
    legacy: 'Se creó antes de que las claves se pudieran mostrar. Reemplázala para ver una.',
    reveal: 'Mostrar',
    hide: 'Ocultar',
    rotate: 'Reemplazar',
    ask: (name) => `¿Reemplazar la clave de ${name}?`,
    warning: 'La clave anterior deja de servir al instante, la use lo que la use.',
    shown: (name) => `Nueva clave de ${name}`,
  },
}
