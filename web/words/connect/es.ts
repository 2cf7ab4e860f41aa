/** Spanish words of the connect page. */
import type { connect as english, pairing as englishPairing } from './en.ts'
import type { Like } from '../language.ts'

export const pairing: Like<typeof englishPairing> = {
  qrHeading: 'Escanea el código con tu teléfono',
  codeHeading: 'Escribe el código en tu teléfono',
  qrLabel: 'Código QR para escanear con el teléfono',
  qrSteps: [
    'Abre la aplicación de chat en el teléfono con este número',
    'En *Ajustes*, elige *Dispositivos vinculados*',
    'Toca *Vincular un dispositivo* y apunta la cámara al código',
  ],
  codeSteps: [
    'Abre la aplicación de chat en el teléfono con este número',
    'En *Ajustes*, elige *Dispositivos vinculados* y luego *Vincular un dispositivo*',
    'Toca *Vincular con el número de teléfono* y escribe el código',
  ],
  newCodeIn: (time) => `Código nuevo en ${time}`,
  newCodeComing: 'Buscando un código nuevo…',
  newCodeShown: 'Hay un código nuevo en pantalla',
  showQr: 'Escanear un código QR',
  showCode: 'Escribir un código',
  copy: 'Copiar código',
  copied: 'Copiado',
  notCopied: 'No se copió: el navegador no lo permitió',
}

export const connect: Like<typeof english> = {
  button: 'Conectar',
  endingIn: (digits) => `terminado en ${digits}`,
  preview: 'Una vista previa: este código no conecta nada',
  connects: 'Estás conectando',
  loading: { heading: 'Buscando tu código' },
  ready: {
    heading: 'Todo listo para conectar',
    text: 'Ten el teléfono a mano. El código aparece en cuanto empieces.',
    start: 'Empezar',
  },
  linking: {
    heading: 'Teléfono aceptado, terminando',
    text: 'Mantén la aplicación abierta en el teléfono unos segundos más.',
  },
  passkey: {
    heading: 'Confirma con tu llave de acceso',
    text: 'Tu teléfono pide una llave de acceso antes de vincular un dispositivo. Confírmala allí y esta página sigue sola.',
    back: '¿Nada en el teléfono? Vuelve y vincula con un código nuevo.',
  },
  connected: { heading: 'Conectado', text: 'Tu número está vinculado. Ya puedes cerrar esta página.' },
  alreadyConnected: { heading: 'Ya está conectado', text: 'Este número está vinculado. No queda nada por hacer aquí.' },
  paused: {
    heading: 'Se acabaron los códigos',
    text: 'Los códigos se muestran solo unos minutos. Muestra uno nuevo cuando tengas el teléfono a mano.',
  },
  expired: {
    heading: 'Este enlace ha caducado',
    text: 'Los enlaces valen 24 horas. Pide uno nuevo a quien te lo envió.',
  },
  revoked: {
    heading: 'Este enlace fue reemplazado',
    text: 'Hay un enlace más reciente para este número. Usa ese o pide otro.',
  },
  invalid: {
    heading: 'Este enlace no funciona',
    text: 'Comprueba que copiaste la dirección completa o pide un enlace nuevo.',
  },
  offline: { heading: 'No tienes conexión', text: 'Esta página sigue sola en cuanto vuelva la conexión.' },
  failed: {
    SERVER: { heading: 'Algo salió mal de nuestro lado', text: 'Lo estamos intentando de nuevo.' },
    BUSY: { heading: 'Demasiados intentos', text: 'Lo intentamos de nuevo en un momento.' },
    SLOW: { heading: 'Está tardando más de lo normal', text: 'Seguimos intentándolo.' },
    ENDED: { heading: 'Se interrumpió la conexión', text: 'Estamos buscando un código nuevo.' },
    WRONG_NUMBER: {
      heading: 'Ese era otro teléfono',
      text: 'El teléfono que escaneó el código tiene otro número. Usa el teléfono con este número.',
    },
    BANNED: {
      heading: 'Este número está bloqueado',
      text: 'La aplicación de chat rechaza este número. Resuélvelo primero en la aplicación del teléfono.',
    },
  },
  newCode: 'Mostrar un código nuevo',
  retry: 'Intentar de nuevo',
  continue: 'Continuar',
  goBack: 'Volver',
  stay: 'Quedarme aquí',
  takenOnIn: (seconds) => `Vuelves en ${seconds} s`,
  onPhone: {
    heading: 'Abrir en el teléfono',
    text: 'Apunta al código con la cámara del teléfono, no con la aplicación de chat: la misma página se abre allí, con un código para escribir. Quien tenga este código puede usar tu enlace.',
    label: 'Código QR con la dirección de esta página',
    close: 'Cerrar',
  },
  help: 'Obtener ayuda',
  newWindow: '(se abre en una ventana nueva)',
  poweredBy: (name) => `Con la tecnología de ${name}`,
}
