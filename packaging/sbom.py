"""Writes the bill of materials of envgen for one processor, as CycloneDX JSON: the libraries that are compiled in, with versions and licences as
the packages state them that they were taken from; and libcurl, which is opened at run time where there is one.

usage: sbom.py --arch NAME --program FILE --debs FOLDER --root FOLDER --zig FOLDER --out FILE
"""

import argparse
import datetime
import hashlib
import pathlib
import platform
import uuid

import libraries
import product
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

SCHEMA = SchemaVersion.V1_6


def license_of(library):
    if not library.spdx:
        return DisjunctiveLicense(name=library.license)
    return LicenseExpression(library.license) if " " in library.license else DisjunctiveLicense(id=library.license)


def component(library, architecture):
    purl = None
    if library.package:
        release = platform.freedesktop_os_release()
        qualifiers = {"arch": product.DEBIAN_NAMES[architecture], "distro": f"{release['ID']}-{release['VERSION_ID']}"}
        purl = PackageURL("deb", release["ID"], library.name, library.version, qualifiers)
    return Component(
        name=library.name,
        version=library.version,
        type=ComponentType.LIBRARY,
        bom_ref=f"{library.name}@{library.version}",
        licenses=[license_of(library)],
        purl=purl,
        external_references=[ExternalReference(type=ExternalReferenceType.WEBSITE, url=XsUri(library.homepage))],
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", required=True)
    for name in ("program", "debs", "root", "zig", "out"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    tool = Component(
        name=product.NAME,
        version=product.VERSION,
        type=ComponentType.APPLICATION,
        bom_ref=f"{product.NAME}@{product.VERSION}",
        description=product.SUMMARY,
        licenses=[DisjunctiveLicense(id=product.LICENSE)],
        purl=PackageURL("generic", None, product.NAME, product.VERSION, {"arch": options.arch}),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(options.program.read_bytes()).hexdigest())],
    )
    libcurl = Component(
        name="libcurl",
        type=ComponentType.LIBRARY,
        bom_ref="libcurl",
        scope=ComponentScope.OPTIONAL,
        description="Not part of the packages: the system's own, loaded when something is downloaded.",
        licenses=[DisjunctiveLicense(id="curl")],
        external_references=[ExternalReference(type=ExternalReferenceType.WEBSITE, url=XsUri("https://curl.se/libcurl/"))],
    )
    parts = [component(library, options.arch) for library in libraries.compiled_in(options.debs, options.root, options.zig)] + [libcurl]
    bom = Bom(
        components=parts,
        # Of what it is about, so that one build has one number.
        serial_number=uuid.uuid5(uuid.NAMESPACE_URL, "\n".join(sorted(str(part.bom_ref) for part in [tool, *parts])) + options.arch),
        metadata=BomMetaData(component=tool, timestamp=datetime.datetime.fromtimestamp(product.epoch(), datetime.timezone.utc)),
    )
    bom.register_dependency(tool, parts)
    text = make_outputter(bom, OutputFormat.JSON, SCHEMA).output_as_string(indent=1)
    wrong = JsonStrictValidator(SCHEMA).validate_str(text)
    if wrong is not None:
        raise SystemExit(f"not a CycloneDX document: {wrong}")
    options.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
