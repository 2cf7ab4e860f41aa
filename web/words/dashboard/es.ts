import type { Like } from '../language.ts'
import type { words as english } from './en.ts'

/** Spanish words of the dashboard's frame and ground. */
export const words: Like<typeof english> = {
  loading: 'Un momento',
  skip: 'Ir al contenido',
  pages: 'Páginas',
  menu: 'Menú',
  nav: {
    overview: 'Resumen',
    inbox: 'Bandeja de entrada',
    calls: 'Llamadas',
    numbers: 'Números',
    webhooks: 'Webhooks',
    templates: 'Plantillas',
    flows: 'Flows',
    leads: 'Leads',
    ads: 'Anuncios',
    usage: 'Uso',
    events: 'Eventos',
    keys: 'Claves',
    people: 'Personas',
    branding: 'Marca',
    embeds: 'Incrustaciones',
  },
  docs: 'Documentación',
  account: 'Tu cuenta',
  byKey: 'Propietario, por clave o enlace',
  signOut: 'Cerrar sesión',
  live: { lost: 'Se perdió la conexión en vivo. Lo que ves puede estar anticuado hasta que vuelva.' },
  missing: {
    heading: 'No hay nada en esta dirección',
    text: 'El enlace está mal, o aquello a lo que llevaba ya no existe.',
  },
  denied: { heading: 'Tu rol no permite ver esto', text: 'Quien gestiona la cuenta puede cambiar tu rol.' },
  broken: {
    heading: 'Esta página no se cargó',
    text: 'Se perdió la conexión, o el servicio se renovó mientras tanto.',
    reload: 'Cargarla de nuevo',
  },
  retry: 'Reintentar',
  more: 'Mostrar más',
  back: 'Volver',
  cancel: 'Cancelar',
  close: 'Cerrar',
  save: 'Guardar',
  saved: 'Guardado.',
  copy: { copy: 'Copiar', copied: 'Copiado', notCopied: 'No copiado' },
  copyId: (id) => `Copiar ${id}`,
  secretOnce: 'Esto se muestra una sola vez. Cópialo ahora y guárdalo donde solo tú puedas leerlo.',
  confirm: { type: 'Para confirmar, escribe el nombre:', busy: 'Un momento' },
  ofNumber: { number: 'Número', none: 'Esto es de un número, y todavía no hay ninguno.', add: 'Añadir un número' },
  dates: { startDate: 'Desde', endDate: 'Hasta' },
  notices: {
    PII_RELAY_ONLY: 'Este número reenvía lo que la gente manda y no guarda nada, por eso nada de eso aparece aquí.',
    PII_RETENTION_WINDOW: 'El número guarda los datos personales solo unos días; lo más antiguo queda retenido.',
  },
  exports: {
    save: 'Guardar como CSV',
    reading: (rows: number) => `Leyendo, ${rows} filas hasta ahora`,
  },
  never: 'nunca',
  faults: {
    WRONG: 'Eso no es correcto.',
    GONE: 'Esto ya no existe.',
    SIGNED_OUT: 'Tu sesión ha terminado. Vuelve a iniciar sesión.',
    DENIED: 'Tu rol no permite eso.',
    INVALID: 'Falta algo o no tiene la forma correcta.',
    REFUSED: 'Eso no se puede hacer ahora.',
    HTTPS: 'Esto requiere https.',
    ELSEWHERE:
      'Esta página estuvo abierta demasiado tiempo, o está en otra dirección que no es la del servicio. Cárgala de nuevo.',
    OFF: 'Este servicio no tiene eso.',
    LOST: 'No se pudo contactar con el servicio. Comprueba tu conexión y vuelve a intentarlo.',
    SERVER: 'Algo salió mal por nuestra parte. Vuelve a intentarlo en un momento.',
    BUSY: (seconds) =>
      seconds === 1
        ? 'Demasiadas solicitudes. Reinténtalo en un segundo.'
        : `Demasiadas solicitudes. Reinténtalo en ${seconds} segundos.`,
  },
}
