import type { Like } from '../../language.ts'
import { words as list } from '../flows/es.ts'
import type { words as english } from './en.ts'

/** Spanish words of the page of a Flow. */
export const words: Like<typeof english> = {
  list,
  heading: 'Flow',
  above: 'Todos los Flows',
  meanings: {
    DRAFT: 'Se puede cambiar, y enviar solo a probadores.',
    PUBLISHED: 'Se puede enviar. Para cambiarlo, haz una copia.',
    DEPRECATED: 'Ya no se puede enviar; lo que se envió antes todavía se abre.',
    THROTTLED: 'Su endpoint falla demasiado, así que solo se puede enviar pocas veces por hora.',
    BLOCKED: 'Su endpoint falla, así que no se puede enviar hasta que se arregle.',
  },
  notUp: 'La red no lo aceptó:',
  health: 'Salud',
  healths: { AVAILABLE: 'Se puede enviar', LIMITED: 'Limitado', BLOCKED: 'Bloqueado', UNKNOWN: 'No se conoce' },
  id: 'Id',
  preview: 'Verlo en la vista previa (abre una ventana nueva)',
  acts: {
    publish: {
      action: 'Publicar',
      ask: (name: string) => `¿Publicar ${name}?`,
      warning: 'Un Flow publicado ya no se puede cambiar ni eliminar.',
    },
    deprecate: {
      action: 'Retirar',
      ask: (name: string) => `¿Retirar ${name}?`,
      warning: 'Ya no se podrá enviar, y esto no se puede deshacer.',
    },
    delete: {
      action: 'Eliminar',
      ask: (name: string) => `¿Eliminar ${name}?`,
      warning: 'El borrador y su documento se pierden.',
    },
  },
  document: {
    heading: 'Documento',
    field: 'Las pantallas, en JSON',
    save: 'Guardar el documento',
    wrong: 'La red encuentra estos errores en él:',
    line: (line: number) => `Línea ${line}:`,
    noJson: (line: number) => `La línea ${line} no es JSON.`,
  },
  answers: {
    heading: 'Respuestas',
    none: 'Nadie ha respondido todavía, o la privacidad del número no guarda respuestas.',
    name: 'Nombre',
    from: 'De',
    answer: 'Respuesta',
    at: 'Hora',
  },
  codes: {
    FLOW_NOT_FOUND: 'Este número no tiene ese Flow. Puede ser de otro número, o se eliminó.',
    FEATURE_NOT_SUPPORTED: 'Solo los números oficiales tienen Flows.',
    FLOW_JSON_INVALID: 'Se guardó como borrador, pero la red encuentra errores; mira arriba.',
    OFFICIAL_ERROR: 'La red lo rechazó:',
    OFFICIAL_THROTTLED: 'La red no acepta más peticiones ahora. Inténtalo en un minuto.',
  },
}
