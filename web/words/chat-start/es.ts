import type { Like } from '../language.ts'
import type { words as english } from './en.ts'

export const words: Like<typeof english> = {
  from: 'Desde el número',
  to: 'Al teléfono',
  toHint: 'Con el código del país: +34 612 34 56 78',
  next: 'Continuar',
  back: 'Otro número',
  writeTo: (number) => `Para ${number}`,
  templateOnly: 'Solo una plantilla puede iniciar una conversación desde este número.',
  needed: 'Escribe un teléfono.',
  phone: {
    form: 'Esto no es un teléfono: escribe de 8 a 15 dígitos con el código del país.',
    country: 'Empieza con el código del país, que nunca empieza con 0: +44 20 7946 0958, no 020 7946 0958.',
    zero: 'Quita el cero que solo se marca dentro del país: +44 20 7946 0958, no +44 (0)20 7946 0958.',
  },
  faults: {
    network: 'No se puede llegar al servicio. Inténtalo de nuevo.',
    busy: 'Demasiado a la vez. Inténtalo de nuevo en un momento.',
    NUMBER_NOT_FOUND: 'Este número fue eliminado.',
    PERMISSION_DENIED: 'No puedes iniciar conversaciones aquí.',
    TEMPLATE_NOT_FOUND: 'Esta plantilla ya no existe.',
    OFFICIAL_OUTSIDE_24H_WINDOW: 'Ahora solo se puede enviar una plantilla a esta persona.',
    other: 'El mensaje fue rechazado.',
  },
}
