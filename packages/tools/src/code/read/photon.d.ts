// The part of the package that is used. Its own declarations need a browser's types.

declare module "@silvia-odwyer/photon-node" {
  export class PhotonImage {
    static new_from_byteslice(bytes: Uint8Array): PhotonImage;
    get_width(): number;
    get_height(): number;
    /** As PNG. */
    get_bytes(): Uint8Array;
    get_bytes_jpeg(quality: number): Uint8Array;
    free(): void;
  }
  export const SamplingFilter: { readonly Lanczos3: number };
  export function resize(image: PhotonImage, width: number, height: number, filter: number): PhotonImage;
}
